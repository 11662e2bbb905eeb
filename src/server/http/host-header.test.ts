import { expect, test } from 'vitest'
import { namesOneHost } from './host-header.ts'

test.each([
  ['one host', ['Accept', 'host', 'Host', 'a.example:8080'], '/', true],
  ['no host', ['Accept', '*/*'], '/', true],
  ['a whole address', ['Host', 'a.example'], 'http://a.example/v/1?x=http://b.example/', true],
  ['two hosts', ['Host', 'a.example', 'host', 'b.example'], '/', false],
  ['the same host twice', ['Host', 'a.example', 'HOST', 'a.example'], '/', false],
  ['an IPv6 address', ['Host', '[::1]:8080'], '/', true],
  ['a name with its final dot', ['Host', 'a.example.:80'], '/', true],
  ['an empty one', ['Host', ''], '/', false],
  ['a user before it', ['Host', 'x@a.example'], '/', false],
  ['a space in it', ['Host', 'a example'], '/', false],
  ['a port that does not exist', ['Host', 'a.example:99999999'], '/', false],
  ['a port above the last', ['Host', 'a.example:65536'], '/', false],
  ['a port without digits', ['Host', 'a.example:'], '/', false],
  ['a path in it', ['Host', 'a.example/x'], '/', false],
  ['another host in the address', ['Host', 'a.example'], 'http://b.example/', false],
])('%s', (_what, rawHeaders, url, expected) => {
  expect(namesOneHost({ rawHeaders, url })).toBe(expected)
})
