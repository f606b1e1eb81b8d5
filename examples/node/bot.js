// A bot for `exec:node bot.js`: it takes the most pagodas now, and gives the others few.
//
// `qin bot run` takes the seat, and tells in the environment where it is: QIN_SERVER, QIN_TABLE,
// QIN_TOKEN, QIN_CERT, QIN_PASSWORD and QIN_SEED. The rest is the player of client.js.
'use strict';

const { createHash } = require('node:crypto');
const { Player, run } = require('./client.js');

/** Numbers from 0 to 1 that depend on the seed alone: the same seed gives the same game. */
function chance(seed) {
  let count = 0;
  return () => {
    const hash = createHash('sha256').update(`${seed}/${count}`).digest();
    count += 1;
    return hash.readUInt32BE(0) / 2 ** 32;
  };
}

/** The pagodas that each effect of an option puts on the board, by seat; negative where they leave. */
function* moves(effects) {
  for (const effect of effects) {
    const what = effect[effect.kind];
    if (effect.kind === 'founded') yield [what.seat, what.pagodas];
    if (effect.kind === 'major' || effect.kind === 'connected') yield [what.seat, 1];
    if (effect.kind === 'conquered') yield* [[what.seat, 1], [what.loser, -1]];
    if (effect.kind === 'villageLost') yield [what.loser, -1];
    if (effect.kind === 'joined') {
      yield [what.seat, what.built];
      yield* what.wentHome.map((count, place) => [place + 1, -count]);
    }
  }
}

class Greedy extends Player {
  constructor(wire) {
    super(wire);
    this.wantsEffects = true;
    this.random = chance(process.env.QIN_SEED || Math.random());
  }

  choose(options) {
    const worths = options.map((option) => this.worth(option));
    const best = Math.max(...worths);
    const equals = options.filter((_, place) => worths[place] === best);
    return equals[Math.floor(this.random() * equals.length)];
  }

  worth({ effects }) {
    let worth = 0;
    for (const [seat, pagodas] of moves(effects)) worth += seat === this.seat ? pagodas : -pagodas / 2;
    return worth;
  }
}

run(Greedy, 'bot.js');
