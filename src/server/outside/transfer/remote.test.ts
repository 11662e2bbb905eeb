import { expect, test } from 'vitest'
import { reasonOf } from './remote.ts'

test.each([
  [
    'EPROTO',
    'write EPROTO 406D2AF5497F0000:error:0A00010B:SSL routines:tlsany_meth.c:77',
    "The server doesn't use TLS on this port, or uses an outdated version. Check the port and the delivery method.",
  ],
  [
    'CERT_HAS_EXPIRED',
    'certificate has expired',
    "The server's certificate has expired. Ask the provider to renew it.",
  ],
  [
    'ECONNREFUSED',
    'connect ECONNREFUSED 10.0.0.1:443',
    'The server refused the connection. Check the server name and the port.',
  ],
])('explains %s in plain words', (code, message, sentence) => {
  expect(reasonOf(Object.assign(new Error(message), { code }))).toBe(sentence)
})

test('keeps other messages as sentences', () => {
  expect(reasonOf(new Error('The file  is gone'))).toBe('The file is gone.')
})
