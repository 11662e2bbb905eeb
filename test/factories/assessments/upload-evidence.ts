import { AnswerEvidence } from '#contract/assessments/targets/answer-evidence.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Caller, TestApp } from '#test/app.ts'
import { multipart } from '#test/harness/multipart.ts'

type Upload = {
  endpoint: Endpoint
  /** With the target and the question. */
  input: Readonly<Record<string, string>>
  files: readonly Readonly<{ name: string; bytes: string }>[]
}

/** Uploads evidence as a browser does. `message`: of a refusal. */
export async function uploadEvidence(
  { app }: Pick<TestApp, 'app'>,
  by: Pick<Caller, 'token'>,
  { endpoint, input, files }: Upload,
): Promise<{ statusCode: number; message: string; files: AnswerEvidence[] }> {
  const { payload, headers } = multipart(
    input,
    files.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes) })),
  )
  const { body, statusCode } = await app.inject({
    method: 'POST',
    url: endpoint.path,
    payload,
    headers: { ...headers, authorization: `Bearer ${by.token}` },
  })
  const parsed: unknown = JSON.parse(body)
  const of = (name: string): unknown =>
    typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, name) : null
  return {
    statusCode,
    message: String(of('message')),
    files: AnswerEvidence.array().nullable().parse(of('data')) ?? [],
  }
}
