import { Resolver } from 'node:dns/promises'
import { codeOf } from '#server/error-code.ts'
import { Failure } from '#server/http/failure.ts'
import { requireOutgoing } from './restored-copy.ts'

export type DnsResolver = {
  /** The texts of a name's TXT records, if any. @throws Failure 503 if no DNS server responds, 409 in a restored copy. */
  readTexts: (name: string) => Promise<string[]>
}

const NOT_THERE = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Queries DNS servers.
 * @param servers addresses with an optional port. Null: those of this machine.
 */
export function openDnsResolver(servers: readonly string[] | null): DnsResolver {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers !== null) resolver.setServers(servers)
  return {
    async readTexts(name) {
      await requireOutgoing()
      try {
        const records = await resolver.resolveTxt(name)
        // Long texts are split into several parts.
        return records.map((parts) => parts.join(''))
      } catch (error) {
        if (NOT_THERE.has(codeOf(error))) return []
        throw new Failure(503, 'The DNS servers are not responding. Try again in a minute.', {
          retryAfterSeconds: 60,
        })
      }
    },
  }
}
