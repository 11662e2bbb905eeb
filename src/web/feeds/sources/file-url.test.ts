import { expect, test } from 'vitest'
import { readFileUrl } from './file-url.ts'

test.each([
  [
    ' https://feeds.example.com/out/vehicles.csv?key=a%20b ',
    { kind: 'https', host: 'feeds.example.com', port: null, path: '/out/vehicles.csv?key=a%20b' },
  ],
  [
    'sftp://dealer:p%40ss@feeds.example.com:2222/out/my%20cars.csv',
    {
      kind: 'sftp',
      host: 'feeds.example.com',
      port: 2222,
      path: '/out/my cars.csv',
      userName: 'dealer',
      secret: 'p@ss',
    },
  ],
  ['ftp://feeds.example.com:21/100%.csv', { kind: 'ftp', port: null, path: '/100%.csv' }],
])('reads the server, port and path of %s', (text, parts) => {
  expect(readFileUrl(text)).toMatchObject(parts)
})

test.each([
  'feeds.example.com',
  'http://feeds.example.com/a.csv',
  'https://',
  'https://a b/c',
  'file:///etc/passwd',
])('does not read %s', (text) => {
  expect(readFileUrl(text)).toBeNull()
})
