import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'

/** `dead`: the link was used, replaced or has expired. `failed`: the check itself failed. */
export type LinkCheck =
  | { kind: 'good'; userName: string; firstName: string; purpose: 'first' | 'reset' }
  | { kind: 'dead' }
  | { kind: 'failed'; message: string }

/** Checks an emailed link without using it up. */
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
