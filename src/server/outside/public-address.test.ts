import { expect, test } from 'vitest'
import { findPublicAddress, isPublicAddress } from './public-address.ts'

test.for(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.for([
  '127.0.0.1',
  '127.9.9.9',
  '0.0.0.0',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fd00::1',
  'ff02::1',
  'fe80::1%eth0',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::7f00:1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  // The public address of another machine, and what could be this machine's own.
  '::ffff:8.8.8.8',
  '::ffff:0:8.8.8.8',
  '2001:10::1',
  '3fff::1',
  '5f00::1',
  'localhost',
  '',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.for(['localhost', '127.0.0.1', '[::1]', '2130706433', '0x7f.1'])(
  'rejects %s as not public',
  async (host) => {
    await expect(findPublicAddress(host, 5_000)).rejects.toThrow(/not on the public internet|found/)
  },
)

test('rejects a name that does not exist', async () => {
  await expect(findPublicAddress('nowhere.invalid', 5_000)).rejects.toThrow('No server named nowhere.invalid')
})
