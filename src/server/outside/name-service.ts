import { Resolver } from 'node:dns/promises'
import { codeOf } from '#server/error-code.ts'
import { Failure } from '#server/http/failure.ts'

export type NameService = {
  /** The texts that a name's TXT records hold; none where there are none. @throws Failure 503 when nobody answers. */
  readTexts: (name: string) => Promise<string[]>
}

const NOT_THERE = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Asks name servers.
 * @param servers addresses with an optional port; null: those of this machine.
 */
export function openNameService(servers: readonly string[] | null): NameService {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers !== null) resolver.setServers(servers)
  return {
    async readTexts(name) {
      try {
        const records = await resolver.resolveTxt(name)
        // A long text travels in several parts.
        return records.map((parts) => parts.join(''))
      } catch (error) {
        if (NOT_THERE.has(codeOf(error))) return []
        throw new Failure(503, 'The name servers do not answer. Try again in a minute.', {
          retryAfterSeconds: 60,
        })
      }
    },
  }
}
