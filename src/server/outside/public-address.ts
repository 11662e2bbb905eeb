import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** The ports of mail servers (RFC 6409, RFC 8314, and alternatives that providers offer where 25 is blocked). */
export const MAIL_PORTS = [25, 465, 587, 2465, 2525, 2587] as const

// Addresses outside the public internet: IANA's special-purpose registries, and IPv6 forms that embed IPv4 addresses. Of IPv6,
// only 2000::/3 is assigned, so everything else is closed: also ::ffff:0:0/96, by which a name could lead to this machine's own
// IPv4 address without being the same text.
const CLOSED = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]
const closed = new BlockList()
for (const range of CLOSED) {
  const [net = '', bits = ''] = range.split('/')
  closed.addSubnet(net, Number(bits), net.includes(':') ? 'ipv6' : 'ipv4')
}
const assigned = new BlockList()
assigned.addSubnet('2000::', 3, 'ipv6')

/** Whether an address is on the public internet and not one of this machine's own. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return false
  if (closed.check(address, family === 6 ? 'ipv6' : 'ipv4')) return false
  if (family === 6 && !assigned.check(address, 'ipv6')) return false
  const own = Object.values(networkInterfaces()).flatMap((cards) => cards ?? [])
  return !own.some((card) => card.address === address)
}

/**
 * Resolves a host name from an untrusted source. The caller must connect to exactly this address, because the name may
 * resolve differently a moment later.
 * @throws Error with a sentence if the name does not resolve, or resolves to an address outside the public internet.
 */
export async function findPublicAddress(host: string, withinMs: number): Promise<string> {
  const name = host.replace(/^\[|\]$/g, '')
  const late = AbortSignal.timeout(withinMs)
  const found = await Promise.race([
    lookup(name, { all: true }).catch(() => []),
    new Promise<never[]>((done) => late.addEventListener('abort', () => done([]), { once: true })),
  ])
  const [first] = found
  if (first === undefined) throw new Error(`No server named ${name} was found.`)
  if (!found.every(({ address }) => isPublicAddress(address))) {
    throw new Error(`${name} is not on the public internet, so it can't be used.`)
  }
  return first.address
}
