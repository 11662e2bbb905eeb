import type { OtpType } from '#contract/identity/second-factor/second-factor.ts'

/** Why a code can't be sent, or undefined if it can. Spaces and hyphens are ignored. */
export function checkOtp(type: OtpType, typed: string): string | undefined {
  const code = typed.replace(/[\s-]/g, '')
  if (code === '') return type === 'backup' ? 'Backup code is required.' : 'Code is required.'
  if (type === 'backup') {
    return /^[a-z0-9]{12}$/i.test(code) ? undefined : 'Enter all 12 letters and digits.'
  }
  return /^\d{6}$/.test(code) ? undefined : 'Enter all 6 digits.'
}
