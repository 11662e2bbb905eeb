import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Mail servers listen here (RFC 6409, RFC 8314, and what providers add where 25 is blocked). */
export const MAIL_PORTS = [25, 465, 587, 2465, 2525, 2587] as const

// What is no address of the public Internet: IANA's special-purpose registries, and ways to wrap an IPv4 in an IPv6.
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
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]
const closed = new BlockList()
for (const range of CLOSED) {
  const [net = '', bits = ''] = range.split('/')
  closed.addSubnet(net, Number(bits), net.includes(':') ? 'ipv6' : 'ipv4')
}

/** Whether an address is of the public Internet and not one of this machine's own. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return false
  if (closed.check(address, family === 6 ? 'ipv6' : 'ipv4')) return false
  const own = Object.values(networkInterfaces()).flatMap((cards) => cards ?? [])
  return !own.some((card) => card.address === address)
}

/**
 * An address of a host that somebody named whom we do not trust. Whoever connects must connect to this very address:
 * the name may lead elsewhere a moment later.
 * @throws Error with a sentence, when the name leads nowhere, or anywhere but to the public Internet.
 */
export async function findPublicAddress(host: string, withinMs: number): Promise<string> {
  const name = host.replace(/^\[|\]$/g, '')
  const late = AbortSignal.timeout(withinMs)
  const found = await Promise.race([
    lookup(name, { all: true }).catch(() => []),
    new Promise<never[]>((done) => late.addEventListener('abort', () => done([]), { once: true })),
  ])
  const [first] = found
  if (first === undefined) throw new Error(`No server of the name ${name} was found.`)
  if (!found.every(({ address }) => isPublicAddress(address))) {
    throw new Error(`${name} is not on the public Internet, so it may not be used.`)
  }
  return first.address
}
