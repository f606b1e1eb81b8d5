// How to reach a Qin server: channel, metadata, calls that may be repeated, reasons of errors.
'use strict';

const { X509Certificate, randomBytes } = require('node:crypto');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const grpc = require('@grpc/grpc-js');
const protoLoader = require('@grpc/proto-loader');
const protobuf = require('protobufjs');

const PROTO = path.join(__dirname, '..', '..', 'proto');
const FILES = ['info', 'lobby', 'play', 'watch', 'records'].map((name) => `qin/v1/${name}.proto`);
const CALL_SECONDS = 10;
const { CANCELLED, DEADLINE_EXCEEDED, INTERNAL, UNAVAILABLE, UNKNOWN } = grpc.status;

// What google/rpc/status.proto and error_details.proto say, as far as it is needed here.
const { root: errors } = protobuf.parse(`
  syntax = "proto3";
  message Any { string type_url = 1; bytes value = 2; }
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
  message ErrorInfo { string reason = 1; string domain = 2; map<string, string> metadata = 3; }
`);

/** Clients for all services of a server, and the metadata that goes with every call. */
function connect({ server, token, password, certificate }) {
  const definition = protoLoader.loadSync(FILES, {
    includeDirs: [PROTO],
    enums: String,
    defaults: true,
    oneofs: true,
  });
  const { v1 } = grpc.loadPackageDefinition(definition).qin;
  const [credentials, options] = security(certificate);
  const services = {};
  for (const name of ['InfoService', 'LobbyService', 'PlayService', 'WatchService', 'RecordsService']) {
    services[name] = new v1[name](server, credentials, options);
  }
  const metadata = new grpc.Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  if (password) metadata.set('qin-password', password);
  return { services, metadata };
}

/** Plain text; or TLS that trusts this one certificate, whatever the machine is called. */
function security(certificate) {
  // A connection that comes back should be noticed soon; the game goes on without us.
  const options = { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 2000 };
  if (!certificate) return [grpc.credentials.createInsecure(), options];
  const pem = readFileSync(certificate);
  const name = /DNS:([^,]+)/.exec(new X509Certificate(pem).subjectAltName ?? '');
  if (name) options['grpc.ssl_target_name_override'] = name[1];
  return [grpc.credentials.createSsl(pem), options];
}

/** One call. Repeats it with the same request, and so the same request id, while nobody answers. */
async function call({ services, metadata }, service, method, request) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await once(services[service], method, request, metadata);
    } catch (error) {
      const wait = isLoss(error) || reasonOf(error) === 'TOO_MANY_REQUESTS';
      if (attempt >= 20 || !wait) throw error;
      await sleep(Math.min(100 * 2 ** attempt, 2000));
    }
  }
}

function once(client, method, request, metadata) {
  const deadline = Date.now() + CALL_SECONDS * 1000;
  return new Promise((resolve, reject) => {
    client[method](request, metadata, { deadline }, (error, response) =>
      error ? reject(error) : resolve(response),
    );
  });
}

/** Whether nobody answered, so that one may ask again; a refusal is an answer. */
function isLoss(error) {
  if (reasonOf(error)) return error.code === UNAVAILABLE;
  return [UNAVAILABLE, CANCELLED, DEADLINE_EXCEEDED, INTERNAL, UNKNOWN].includes(error.code);
}

/** The stable word of an error; empty if it comes from gRPC itself. */
function reasonOf(error) {
  const [bytes] = error.metadata?.get('grpc-status-details-bin') ?? [];
  if (!bytes) return '';
  for (const detail of errors.lookupType('Status').decode(bytes).details) {
    if (detail.typeUrl.endsWith('/google.rpc.ErrorInfo')) {
      return errors.lookupType('ErrorInfo').decode(detail.value).reason;
    }
  }
  return '';
}

const newToken = () => randomBytes(32).toString('hex');
const newId = () => randomBytes(8).toString('hex');

module.exports = { call, connect, isLoss, newId, newToken, reasonOf };
