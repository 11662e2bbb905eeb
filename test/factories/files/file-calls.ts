import { Refusal } from '#contract/answer.ts'
import { files } from '#contract/files/files.ts'
import type { Caller, TestApp } from '#test/app.ts'
import { multipart } from '#test/harness/multipart.ts'
import { fresh } from '#test/factories/test-organization.ts'

const container = 'media'

export type SentFile = { name: string; bytes: string | Buffer; type?: string }

/** Uploads files like a browser. `message` is the error message. */
export async function sendFiles(
  { app }: TestApp,
  caller: Caller,
  fields: Record<string, string>,
  sent: readonly SentFile[],
): Promise<{ status: number; text: string; message: string }> {
  const { payload, headers } = multipart({ container, ...fields }, sent)
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: files.upload.path,
    payload,
    headers: { ...headers, authorization: `Bearer ${caller.token}` },
  })
  const refusal = Refusal.safeParse(JSON.parse(body))
  return { status: statusCode, text: body, message: refusal.success ? refusal.data.message : '' }
}

/** The names in a media folder; folder names end with a slash. */
export async function namesIn(caller: Caller, folder = ''): Promise<string[]> {
  const { leafs, nodes } = await caller.call(files.getChildren, { container, folder })
  return [...nodes.map(({ name }) => `${name}/`), ...leafs.map(({ name }) => name)]
}

export function downloadFile(caller: Caller, path: string): ReturnType<Caller['send']> {
  const query = new URLSearchParams({ container, path })
  return caller.send({ method: 'GET', url: `${files.download.path}?${query}` })
}

/** The path of a unique folder, so that tests don't interfere. */
export async function ownFolder(caller: Caller): Promise<string> {
  return (await caller.call(files.createDirectory, { container, dirName: fresh('Test') })).path
}
