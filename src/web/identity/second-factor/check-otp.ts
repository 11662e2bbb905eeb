import type { OtpType } from '#contract/identity/second-factor/second-factor.ts'

/** What is wrong with a code before it is sent, or undefined. Spaces and hyphens do not count. */
export function checkOtp(type: OtpType, typed: string): string | undefined {
  const code = typed.replace(/[\s-]/g, '')
  if (code === '') return type === 'backup' ? 'Backup code is required.' : 'Code is required.'
  if (type === 'backup') {
    return /^[a-z0-9]{12}$/i.test(code) ? undefined : 'A backup code has 12 letters and digits.'
  }
  return /^\d{6}$/.test(code) ? undefined : 'The code has 6 digits.'
}
