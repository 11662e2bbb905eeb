import type { Page } from 'playwright-core'
import { type AuditEntry, auditLog, type OpenAuditEntry } from '#contract/administration/audit-log.ts'
import { auth } from '#contract/identity/auth.ts'
import { type OpenSession, sessions, type SignIn } from '#contract/identity/sessions/sessions.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { drawer, see } from '#e2e/harness/steps.ts'

const ADMIN = 'northgate.admin'
const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())
const dialog = (words: string | RegExp) => (page: Page) => see(drawer(page).getByText(words).first())

const AT = '2026-11-21T09:00:00.000Z'
const SESSION: OpenSession = {
  id: '018f6b1e-7c00-7000-8000-000000000001',
  device: 'Firefox on Windows',
  ip: '192.0.2.7',
  startedAt: AT,
  lastActiveAt: AT,
  isCurrent: true,
  by: null,
  as: null,
  isViewOnly: false,
}
const AT_HOME = { address: '203.0.113.9', device: 'Firefox on Windows' }
/** A sign-in at the second attempt. */
export const SIGN_INS: SignIn[] = [
  { ...AT_HOME, at: '2026-11-18T14:00:00.000Z', what: 'Signed in', isFailed: false },
  { ...AT_HOME, at: '2026-11-18T13:59:00.000Z', what: 'Failed to sign in, 2 times', isFailed: true },
]

export const SESSIONS: OpenSession[] = [
  SESSION,
  { ...SESSION, id: '018f6b1e-7c00-7000-8000-000000000002', device: 'Safari on iPhone', isCurrent: false },
  {
    ...SESSION,
    id: '018f6b1e-7c00-7000-8000-000000000003',
    device: null,
    ip: null,
    isCurrent: false,
    by: 'Pat Underwood',
    isViewOnly: true,
  },
]

const ENTRY: AuditEntry = {
  id: '7',
  at: AT,
  actor: 'Pat Underwood',
  effective: 'Dana Whitfield',
  operation: 'update',
  kind: 'lots',
  rowId: '12',
  what: 'Fulton overflow',
  call: 'lots.update',
  address: null,
  device: null,
}
const OPEN_ENTRY: OpenAuditEntry = {
  ...ENTRY,
  organizationName: 'Northgate Ford',
  changes: [
    { field: 'name', before: 'Fulton', after: 'Fulton overflow', isCovered: false },
    { field: 'phone', before: null, after: '+1 312 555 0100', isCovered: false },
    { field: 'password', before: '***', after: null, isCovered: true },
  ],
}

/** The user's own sessions, and the audit log. */
export const ACCOUNT_PAGES = {
  '/account/access': {
    person: ADMIN,
    views: {
      access: { url: '/account/access', whole: text(/^You may do the following/) },
      'access-none': {
        url: '/account/access',
        given: [{ endpoint: auth.authFunc, data: { isSuper: false, permissions: [] } }],
        whole: text('You can sign in, but you have no permissions'),
      },
    },
    loads: [],
  },
  '/account/sessions': {
    person: ADMIN,
    views: {
      sessions: { url: '/account/sessions', whole: text('This session') },
      'sessions-several': {
        url: '/account/sessions',
        given: [{ endpoint: sessions.own, data: SESSIONS }],
        whole: text('Safari on iPhone'),
      },
    },
    loads: [
      {
        url: '/account/sessions',
        endpoint: sessions.own,
        what: 'your sessions',
        loading: 'Loading your sessions',
      },
    ],
  },
  '/administration/audit-log': {
    person: ADMIN,
    views: {
      // Of one user: the product's own entries come between them at a different place in each new installation.
      'audit-log': { url: '/administration/audit-log?search=priya', whole: text(/^Added /) },
      'audit-entry': {
        url: '/administration/audit-log?entry=7',
        given: [{ endpoint: auditLog.get, data: OPEN_ENTRY }],
        whole: dialog('Hidden'),
      },
    },
    loads: [
      {
        url: '/administration/audit-log',
        endpoint: auditLog.list,
        what: 'the list of entries',
        loading: 'Loading entries',
        more: {
          empty: { answer: rows(0, 0), says: ['No activity yet'] },
          'empty when filtered': {
            url: '/administration/audit-log?search=zebra',
            answer: rows(0, 5),
            says: ['No entries match “zebra”', '5 entries in total.', 'Clear search'],
          },
        },
      },
      {
        url: '/administration/audit-log?entry=7',
        endpoint: auditLog.get,
        what: 'this entry',
        loading: 'Loading the entry',
      },
    ],
  },
} satisfies Partial<Record<PagePath, PageCase>>
