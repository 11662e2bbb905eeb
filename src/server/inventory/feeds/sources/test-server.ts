import type { Readable } from 'node:stream'
import { isPattern } from '#contract/inventory/feeds/sources/remote-server.ts'
import { Failure, notFound } from '#server/http/failure.ts'
import { reasonOf } from '#server/outside/transfer/remote.ts'
import { fetchFile } from '#server/outside/transfer/transfer.ts'
import type { Secrets } from '#server/secrets.ts'
import { oneLine, shortName } from '../runs/file-name.ts'
import { remoteOf, serverOf } from './source-row.ts'
import type { Within } from './ingest-feed.ts'

/** Somebody waits for it: half a minute in all, ten seconds of silence. */
const BOUNDS = { wholeMs: 30_000, stepMs: 10_000 } as const
const FIRST_BYTES = 64_000

/** Looks whether the file of a source can be fetched: its first bytes are read, and nothing is kept. */
export async function testServer(
  within: Within,
  { id, secrets, allowsPrivate }: { id: string; secrets: Secrets; allowsPrivate: boolean },
): Promise<{ isThere: boolean; said: string }> {
  const row = await within((db) =>
    db
      .selectFrom('feedSources as s')
      .innerJoin('customers as c', 'c.id', 's.customerId')
      .leftJoin('feedSourceStates as t', 't.sourceId', 's.id')
      .select(['s.customerId', 's.kind', 's.host', 's.port', 's.remotePath', 's.userName', 's.secretSealed'])
      .select(['t.hostKey', 't.hostKeyOf', 'c.isPlatform', 'c.timeZone'])
      .where('s.id', '=', id)
      .executeTakeFirst(),
  )
  if (row === undefined) throw notFound('Feed source')
  try {
    const hostKey = row.hostKeyOf === serverOf(row) ? row.hostKey : null
    const remote = remoteOf(row, {
      secrets,
      isGuarded: !allowsPrivate && !row.isPlatform,
      hostKey,
      zone: row.timeZone,
    })
    if (remote === null) return { isThere: false, said: 'This feed source says no place to fetch from.' }
    const { body, file } = await fetchFile(remote, BOUNDS)
    const first = await firstLine(body)
    const isOneOfMany = isPattern({ protocol: remote.protocol, path: remote.path })
    const found = isOneOfMany ? `${shortName(file.path)} is the newest file` : 'The file is there'
    return first === ''
      ? { isThere: false, said: `${found}, but it is empty.` }
      : { isThere: true, said: `${found}. It begins with: ${first}` }
  } catch (error) {
    if (error instanceof Failure) throw error
    return { isThere: false, said: reasonOf(error) }
  }
}

/** What a file begins with, at most 200 characters of its first line. */
async function firstLine(body: Readable): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of body) {
      const chunk = Buffer.from(part)
      parts.push(chunk)
      bytes += chunk.length
      if (bytes >= FIRST_BYTES || chunk.includes(10)) break
    }
  } finally {
    body.destroy()
  }
  const [line = ''] = Buffer.concat(parts)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split(/\r?\n/)
  return oneLine(line).slice(0, 200)
}
