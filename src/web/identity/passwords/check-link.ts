import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'

/** `dead`: the link was used, replaced or is too old. `failed`: that could not be found out. */
export type LinkCheck =
  | { kind: 'good'; userName: string; firstName: string; purpose: 'first' | 'reset' }
  | { kind: 'dead' }
  | { kind: 'failed'; message: string }

/** Whose password the word of a mailed link sets. Changes nothing, so that opening a link does not use it up. */
export async function checkLink(word: string): Promise<LinkCheck> {
  if (word === '') return { kind: 'dead' }
  try {
    const { auth } = await import('#contract/identity/auth.ts')
    return { kind: 'good', ...(await call(auth.checkReset, { resetValue: word })) }
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    return error.status === 400 ? { kind: 'dead' } : { kind: 'failed', message: error.message }
  }
}
