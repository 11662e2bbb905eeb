import type { Page } from 'playwright-core'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import type { PageCase, PagePath } from '#e2e/harness/page-case.ts'
import { button, field, see } from '#e2e/harness/steps.ts'

const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())

const DEVICE = {
  id: '0b3c9f0e-6f5e-4b54-9f0b-6a5f2b1c7d11',
  userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
  ip: '192.0.2.14',
  trustedAt: '2026-11-01T09:00:00.000Z',
  lastUsedAt: '2026-11-20T09:00:00.000Z',
  until: '2026-12-01T09:00:00.000Z',
  isThis: true,
}
const ON = {
  isRequired: true,
  codeEmail: null,
  authenticatorAt: '2026-11-02T10:00:00.000Z',
  backupCodesLeft: 2,
  withoutAuthenticator: 'email',
  devices: [DEVICE, { ...DEVICE, id: '0b3c9f0e-6f5e-4b54-9f0b-6a5f2b1c7d12', userAgent: '', isThis: false }],
}
const BY_MAIL = {
  ...ON,
  codeEmail: 'n\u2022\u2022\u2022@n\u2022\u2022\u2022.example',
  authenticatorAt: null,
  backupCodesLeft: 0,
  devices: [],
}
const MAIL = { type: 'email', label: 'Email to n\u2022\u2022\u2022@n\u2022\u2022\u2022.example' }
const SENT = {
  isSent: true,
  failure: null,
  validUntil: '2026-11-21T09:10:00.000Z',
  sendsLeft: 2,
  waitSeconds: null,
}

async function askForMail(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Email to/ }).click()
  await see(field(page, '6-digit code'), page.getByText('Email sent.'))
}

async function enrol(page: Page): Promise<void> {
  await button(page, 'Set up an authenticator').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Your password/).fill('whatever it is')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await see(page.getByRole('figure', { name: 'QR code for your authenticator app' }))
}

/** The second factor: at sign-in, and one's own. */
export const SECOND_FACTOR_PAGES = {
  '/auth/verify-login': {
    person: 'northgate.phone',
    views: {
      'verify-login': { url: '/auth/verify-login', whole: (page) => see(field(page, '6-digit code')) },
      'verify-login-ways': {
        url: '/auth/verify-login',
        given: [
          { endpoint: secondFactor.getOtpList, data: [MAIL, { type: 'backup', label: 'Backup code' }] },
        ],
        whole: text("We'll email you a 6-digit code"),
      },
      'verify-login-setup': {
        url: '/auth/verify-login',
        given: [
          {
            endpoint: secondFactor.getOtpList,
            data: [{ type: 'setup', label: 'Set up an authenticator app' }],
          },
        ],
        whole: text('Your user type requires a second factor.'),
      },
      'verify-login-mail': {
        url: '/auth/verify-login',
        given: [
          { endpoint: secondFactor.getOtpList, data: [MAIL] },
          { endpoint: secondFactor.sendOtp, data: SENT },
        ],
        whole: askForMail,
      },
    },
    loads: [
      {
        url: '/auth/verify-login',
        endpoint: secondFactor.getOtpList,
        what: 'verification methods',
        loading: 'Loading verification methods',
        saysMessage: true,
        more: {
          empty: {
            answer: { status: 200, data: [] },
            says: ["There's nothing left to verify. Sign in again.", 'Back to sign in'],
          },
        },
      },
    ],
  },
  '/account/security': {
    person: 'northgate.dealer',
    views: {
      security: { url: '/account/security', whole: text('Password only') },
      'security-mail': {
        url: '/account/security',
        given: [{ endpoint: secondFactor.own, data: BY_MAIL }],
        whole: text('Codes by email'),
      },
      'security-on': {
        url: '/account/security',
        given: [{ endpoint: secondFactor.own, data: ON }],
        whole: text('Firefox on Windows'),
      },
      'security-enrol': {
        url: '/account/security',
        given: [
          {
            endpoint: secondFactor.startAuthenticator,
            data: {
              secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
              uri: 'otpauth://totp/Forecourt:northgate.dealer?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Forecourt',
            },
          },
        ],
        whole: enrol,
      },
    },
    loads: [
      {
        url: '/account/security',
        endpoint: secondFactor.own,
        what: 'your security',
        loading: 'Loading your security',
      },
    ],
  },
} as const satisfies Partial<Record<PagePath, PageCase>>
