// A player who places at random: all that a client needs, and nothing that it does not.
//
//   node client.js                     make a table and wait for a second player
//   QIN_TABLE=k3v9x2 node client.js    join a table
//
// README.md lists the other variables.
'use strict';

const { randomBytes, randomInt } = require('node:crypto');
const { setTimeout: sleep } = require('node:timers/promises');
const { problemOf, sha256, tagsOf } = require('./shuffle.js');
const { call, connect, isLoss, newId, newToken, reasonOf } = require('./wire.js');

const env = process.env;
const say = (...words) => console.log(...words);

class Player {
  constructor(wire) {
    this.wire = wire;
    this.sequence = 0; // the last event that we have
    this.silence = 15; // seconds without a word after which a stream is lost
    this.nonce = Buffer.from(env.QIN_NONCE || randomBytes(16).toString('hex'), 'hex');
    this.commitment = '';
    this.owner = false;
    this.records = [];
    this.ended = null; // what the end of the series told
    this.wantsEffects = false; // whether options tell what they would cause
  }

  /** Any of the options; a bot chooses better. */
  choose(options) {
    return options[randomInt(options.length)];
  }

  ask(service, method, request) {
    return call(this.wire, service, method, request);
  }

  async sitDown(name, token) {
    const info = await this.ask('InfoService', 'GetInfo', { client: 'qin-example-client/0.1.0' });
    this.silence = 3 * info.heartbeatSeconds;
    say(`server ${info.serverVersion}, protocol ${info.protocolVersion}, rules ${info.rulesVersion}`);
    this.table = env.QIN_TABLE || (await this.create(name, info.boards[0].name));
    const joined = await this.ask('LobbyService', 'JoinTable', {
      requestId: newId(),
      tableId: this.table,
      name,
      nonce: this.nonce,
      inviteCode: env.QIN_CODE ?? '',
    });
    this.seat = joined.seat;
    this.commitment = joined.table.commitment;
    say(`seat ${this.seat}`);
    say(`come back with QIN_TABLE=${this.table} QIN_TOKEN=${token} QIN_NONCE=${this.nonce.toString('hex')}`);
  }

  async create(name, boardName) {
    this.owner = true;
    const { table } = await this.ask('LobbyService', 'CreateTable', {
      requestId: newId(),
      settings: { boardName, seats: 2 },
      name,
    });
    say(`table ${table.tableId}`);
    return table.tableId;
  }

  /** Watch until the series is over; come back whenever the stream is lost. */
  async play() {
    for (let losses = 0; !this.ended; losses += 1) {
      try {
        await this.watch();
      } catch (error) {
        if (reasonOf(error) === 'SEQUENCE_UNKNOWN') this.sequence = 0; // take a new snapshot instead
        else if (!isLoss(error)) throw error;
      }
      if (this.ended) break;
      say(`connection lost; resuming after event ${this.sequence}`);
      await sleep(Math.min(100 * 2 ** Math.min(losses, 10), 2000));
    }
  }

  watch() {
    const request = {
      tableId: this.table,
      afterSequence: this.sequence,
      options: true,
      effects: this.wantsEffects,
    };
    const stream = this.wire.services.WatchService.Watch(request, this.wire.metadata);
    const silent = () => stream.cancel();
    let timer = setTimeout(silent, this.silence * 1000);
    // One message after the other, also where answering one takes time.
    let work = Promise.resolve();
    return new Promise((resolve, reject) => {
      stream.on('data', (message) => {
        clearTimeout(timer);
        timer = setTimeout(silent, this.silence * 1000);
        work = work.then(() => this.take(message));
        work.then(() => this.ended && stream.cancel(), (error) => {
          stream.cancel();
          reject(error);
        });
      });
      stream.on('error', (error) => work.then(() => reject(error), reject));
      stream.on('end', () => work.then(resolve, reject));
    }).finally(() => clearTimeout(timer));
  }

  /** One message of the watch. What we do not know in it is news of a newer server: leave it. */
  async take(message) {
    if (message.snapshot) this.sequence = message.snapshot.sequence;
    for (const event of message.events) {
      this.sequence = event.sequence;
      this.note(event);
    }
    if (message.closing) say(`the server ends the watch: ${message.closing.reason}`);
    const seated = message.snapshot || message.events.some((event) => event.kind === 'seatTaken');
    if (this.owner && seated) await this.start();
    if (message.options?.options.length) await this.place(message.options);
  }

  note(event) {
    if (event.kind === 'gameStarted') say(`game ${event.gameStarted.game} has started`);
    if (event.kind === 'gameEnded') {
      const { outcome, reserves, recordId } = event.gameEnded;
      this.records.push(recordId);
      say(`${outcome.ending}; won by seat ${outcome.winners.join(' and ')}; pagodas left: ${reserves.join(' ')}`);
    }
    if (event.kind === 'seriesEnded') this.ended = event.seriesEnded;
  }

  async start() {
    try {
      await this.ask('LobbyService', 'StartTable', { requestId: newId(), tableId: this.table });
    } catch (error) {
      // Somebody is missing yet, or the game is on already.
      if (!['SEATS_FREE', 'NOT_OPEN'].includes(reasonOf(error))) throw error;
    }
  }

  async place({ ply, options }) {
    const { placement } = this.choose(options);
    try {
      await this.ask('PlayService', 'PlaceTile', {
        requestId: newId(),
        tableId: this.table,
        expectedPly: ply,
        placement,
      });
    } catch (error) {
      // The game went on without us; newer options come by themselves.
      if (!['STALE_PLY', 'NOT_YOUR_TURN', 'GAME_OVER'].includes(reasonOf(error))) throw error;
    }
  }

  /** Nobody steered the shuffle: the salt is the one promised, our nonce is in it, the tiles follow. */
  async verify() {
    if (!this.commitment) return say('the deal was given: there is no shuffle to check');
    const { salt, nonces } = this.ended;
    if (sha256(Buffer.from(salt, 'hex')).toString('hex') !== this.commitment) {
      throw new Error('the salt is not the one that was committed to when we sat down');
    }
    if (nonces[this.seat - 1] !== this.nonce.toString('hex')) {
      throw new Error('our nonce is not the one that we gave');
    }
    for (const recordId of this.records) {
      const { text } = await this.ask('RecordsService', 'GetRecord', { recordId });
      const tags = tagsOf(text);
      const same = tags.Salt === salt && tags.Nonces === nonces.join('/');
      const problem = same ? problemOf(text) : 'its salt or nonces are not those that were told';
      if (problem) throw new Error(`${recordId}: ${problem}`);
      say(`${recordId}: the shuffle is what salt and nonces say`);
    }
  }
}

/** Let a kind of player play, with what the environment tells. */
async function run(Kind, name) {
  const token = env.QIN_TOKEN || newToken();
  const player = new Kind(
    connect({
      server: env.QIN_SERVER || '127.0.0.1:50713',
      token,
      password: env.QIN_PASSWORD,
      certificate: env.QIN_CERT,
    }),
  );
  try {
    await player.sitDown(env.QIN_NAME || name, token);
    await player.play();
    // Who took the seat for us gave another nonce than ours, so only he can check the shuffle.
    if (!env.QIN_SEED) await player.verify();
  } catch (error) {
    console.error(reasonOf(error) || error.details || error.message);
    process.exitCode = 1;
  }
  for (const service of Object.values(player.wire.services)) service.close();
}

if (require.main === module) run(Player, 'node');

module.exports = { Player, run };
