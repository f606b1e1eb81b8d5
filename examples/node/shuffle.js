// The shuffle, to the byte as docs/protocol.md tells it, and whether a record was dealt by it.
//
//   node shuffle.js FILE.qin                   check a record
//   node shuffle.js --deal SALT GAME NONCE...  print what salt and nonces (in hex) deal
'use strict';

const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');

const KINDS = ['RR', 'YY', 'BB', 'RY', 'YB', 'RB'];
const HAND_SIZE = 3;
const PILES = 4;
const DRAWS = 2n ** 64n;

const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();

function bigEndian(number, bytes) {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(number, bytes - Math.min(bytes, 6), Math.min(bytes, 6));
  return buffer;
}

/** The draws that follow from salt, game and nonces: below(n) is a number from 0 to n - 1. */
function drawsOf(salt, game, nonces) {
  const seed = sha256(salt, bigEndian(game, 4), ...nonces);
  let next = 0;
  return function below(bound) {
    const fair = DRAWS - (DRAWS % BigInt(bound));
    for (;;) {
      const number = sha256(seed, bigEndian(next, 8)).readBigUInt64BE(0);
      next += 1;
      if (number < fair) return Number(number % BigInt(bound));
    }
  };
}

/** Hands and piles of a game, as a record writes them. All arguments but the number are Buffers. */
function deal(salt, game, nonces) {
  const below = drawsOf(salt, game, nonces);
  const tiles = KINDS.flatMap((kind) => Array(12).fill(kind));
  for (let last = tiles.length - 1; last > 0; last -= 1) {
    const other = below(last + 1);
    [tiles[last], tiles[other]] = [tiles[other], tiles[last]];
  }
  const dealt = HAND_SIZE * nonces.length;
  const round = (part, among) =>
    Array.from({ length: among }, (_, n) => part.filter((_, i) => i % among === n).join(' ')).join('/');
  return { hands: round(tiles.slice(0, dealt), nonces.length), piles: round(tiles.slice(dealt), PILES) };
}

/** The tags of a record: `[Name "value"]` lines before the moves. */
function tagsOf(text) {
  return Object.fromEntries([...text.matchAll(/^\[(\w+) "([^"]*)"\]$/gm)].map(([, name, value]) => [name, value]));
}

/** What is wrong with the shuffle of a record; empty if nothing is. */
function problemOf(text) {
  const tags = tagsOf(text);
  for (const name of ['Commitment', 'Salt', 'Nonces', 'Game', 'Hands', 'Piles']) {
    if (!tags[name]) return `the record has no tag ${name}: nothing can be checked`;
  }
  const salt = Buffer.from(tags.Salt, 'hex');
  if (sha256(salt).toString('hex') !== tags.Commitment) return 'the salt is not the one committed to';
  const nonces = tags.Nonces.split('/').map((nonce) => Buffer.from(nonce, 'hex'));
  const { hands, piles } = deal(salt, Number(tags.Game), nonces);
  if (hands !== tags.Hands) return `salt and nonces deal the hands ${hands}, not ${tags.Hands}`;
  if (piles !== tags.Piles) return `salt and nonces deal the piles ${piles}, not ${tags.Piles}`;
  return '';
}

function main([first, ...rest]) {
  if (first === '--deal') {
    const [salt, game, ...nonces] = rest;
    const dealt = deal(Buffer.from(salt, 'hex'), Number(game), nonces.map((nonce) => Buffer.from(nonce, 'hex')));
    console.log(`${dealt.hands}\n${dealt.piles}`);
    return 0;
  }
  if (!first) {
    console.error('usage: node shuffle.js FILE.qin');
    return 2;
  }
  const problem = problemOf(readFileSync(first, 'utf8'));
  console.log(problem || 'the tiles were dealt as salt and nonces say');
  return problem ? 1 : 0;
}

module.exports = { deal, problemOf, sha256, tagsOf };

if (require.main === module) process.exitCode = main(process.argv.slice(2));
