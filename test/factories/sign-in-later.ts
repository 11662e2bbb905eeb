import { z } from 'zod'
import { Refusal } from '#contract/answer.ts'
import { multipart } from '#test/harness/multipart.ts'
import { Refused, type Caller, type TestApp } from '#test/app.ts'

/** A user who calls endpoints and uploads files. */
export type Person = {
  call: Caller['call']
  /** Uploads a file to an endpoint. @returns the `data` of the response */
  upload: (
    path: string,
    fields: Readonly<Record<string, string>>,
    file: { name: string; bytes: string },
  ) => Promise<unknown>
}

/**
 * A user who signs in with the first call, and again after the session has ended, for instance because the test moved the
 * clock. `begin` signs in.
 */
export function signInLater(forecourt: TestApp, begin: () => Promise<Caller>): Person {
  let session: Promise<Caller> | null = null
  const signIn = () => (session = begin())
  const signedIn = async <T>(work: (caller: Caller) => Promise<T>): Promise<T> => {
    try {
      return await work(await (session ?? signIn()))
    } catch (error) {
      if (!(error instanceof Refused) || !hasEnded(error)) throw error
      return work(await signIn())
    }
  }
  return {
    call: (endpoint, input) => signedIn((caller) => caller.call(endpoint, input)),
    upload: (path, fields, file) => signedIn((caller) => upload(forecourt, caller, { path, fields, file })),
  }
}

/** Platform staff leave the organization of a customer that is suspended. */
const hasEnded = ({ status, refusal }: Refused): boolean =>
  status === 401 || (status === 403 && refusal.message === 'Choose an organization first.')

const Success = z.object({ data: z.unknown() })

async function upload(
  { app }: TestApp,
  { token }: Caller,
  { path, fields, file }: { path: string; fields: object; file: { name: string; bytes: string } },
): Promise<unknown> {
  const { payload, headers } = multipart({ ...fields }, [file])
  const response = await app.inject({
    method: 'POST',
    url: path,
    payload,
    headers: { ...headers, authorization: `Bearer ${token}` },
  })
  const answer: unknown = response.json()
  if (response.statusCode !== 200) throw new Refused(response.statusCode, Refusal.parse(answer))
  return Success.parse(answer).data
}
