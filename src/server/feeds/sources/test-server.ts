import type { Readable } from 'node:stream'
import { isPattern } from '#contract/remote-server.ts'
import { Failure, notFound } from '#server/http/failure.ts'
import { reasonOf } from '#server/outside/transfer/remote.ts'
import { fetchFile } from '#server/outside/transfer/transfer.ts'
import type { Secrets } from '#server/secrets.ts'
import { oneLine, shortName } from '#server/formats/file-name.ts'
import { remoteOf, serverOf } from './source-row.ts'
import type { Within } from './ingest-feed.ts'

/** A user is waiting: 30 seconds in total, 10 seconds without data. */
const BOUNDS = { totalMs: 30_000, stepMs: 10_000 } as const
const FIRST_BYTES = 64_000

/** Tests whether a source's file can be fetched. Reads its first bytes and stores nothing. */
export async function testServer(
  within: Within,
  { id, secrets, allowsPrivate }: { id: string; secrets: Secrets; allowsPrivate: boolean },
): Promise<{ isSuccessful: boolean; message: string }> {
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
    if (remote === null)
      return { isSuccessful: false, message: 'This feed source has no server to fetch from.' }
    const { body, file } = await fetchFile(remote, BOUNDS)
    const first = await firstLine(body)
    const isOneOfMany = isPattern({ protocol: remote.protocol, path: remote.path })
    const found = isOneOfMany ? `Newest file: ${shortName(file.path)}` : 'File found'
    return first === ''
      ? { isSuccessful: false, message: `${found}, but it's empty.` }
      : { isSuccessful: true, message: `${found}. First line: ${first}` }
  } catch (error) {
    if (error instanceof Failure) throw error
    return { isSuccessful: false, message: reasonOf(error) }
  }
}

/** The first line of a file, up to 200 characters. */
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
