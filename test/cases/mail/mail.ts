import type { contract } from '#contract/index.ts'
import { eventsKey } from '#server/mail/handlers/handler-row.ts'
import { BUILT_IN_TEMPLATES } from '#server/mail/templates/built-in-templates.ts'
import type { Cases } from '#test/cases/cases.ts'
import { customerWide, foreignTo, list } from '#test/cases/foreign.ts'
import { fresh } from '#test/factories/test-organization.ts'
import { secrets } from '#test/harness/secrets.ts'

type MailCalls = 'outbox' | 'emailHandlers' | 'suppressions' | 'emailTemplates' | 'mailEvents'

export const mailCases: Pick<Cases<typeof contract>, MailCalls> = {
  outbox: {
    list: { input: () => ({ search: 'a', sort: '-createdAt', page: 1 }), foreign: 'takes no ids' },
    get: { input: async ({ addMail }) => ({ id: await addMail() }), foreign: foreignTo(404) },
    reveal: { input: async ({ addMail }) => ({ id: await addMail() }), foreign: foreignTo(404) },
    sendAgain: {
      input: async ({ addMail }) => ({ id: await addMail() }),
      // Tests have no mail server (outbox.test.ts has).
      allowedStatus: 409,
      foreign: foreignTo(404),
    },
  },
  emailHandlers: {
    list,
    get: { input: async ({ addHandler }) => ({ id: await addHandler() }), foreign: customerWide },
    add: {
      input: () => ({
        emailHandler: { name: fresh('Handler'), kind: 'outbox', fromEmail: 'us@people.example' },
      }),
      foreign: 'takes no ids',
    },
    effect: { input: () => ({}), foreign: 'takes no ids' },
    // Requires customer reach (mail-handlers.test.ts covers another customer's).
    update: {
      input: async ({ addHandler }) => ({ emailHandler: { id: await addHandler(), name: fresh('Handler') } }),
      foreign: foreignTo(403),
    },
    remove: { input: async ({ addHandler }) => ({ id: await addHandler() }), foreign: foreignTo(403) },
    test: {
      input: async ({ addHandler }) => ({ id: await addHandler(), toEmail: 'us@people.example' }),
      foreign: foreignTo(403),
    },
  },
  suppressions: {
    list: { input: () => ({ search: 'a', sort: '-email', page: 1 }), foreign: 'takes no ids' },
    remove: {
      input: async ({ addSuppressed }) => ({ id: await addSuppressed() }),
      foreign: foreignTo(404),
    },
  },
  // Every customer has the same keys with its own versions.
  emailTemplates: {
    list: { input: () => ({ search: 'a', sort: '-title', page: 1 }), foreign: 'takes no ids' },
    get: { input: () => ({ key: 'invitation' }), foreign: 'takes no ids' },
    update: {
      input: () => ({ key: 'invitation', version: 1_000, ...BUILT_IN_TEMPLATES.invitation.words }),
      allowedStatus: 409,
      foreign: 'takes no ids',
    },
    preview: {
      input: () => ({ key: 'invitation', ...BUILT_IN_TEMPLATES.invitation.words }),
      foreign: 'takes no ids',
    },
    test: { input: () => ({ key: 'invitation', toEmail: 'us@people.example' }), foreign: 'takes no ids' },
    versions: { input: () => ({ key: 'invitation' }), foreign: 'takes no ids' },
    restore: {
      input: () => ({ key: 'invitation', version: 1_000, to: 1 }),
      allowedStatus: 409,
      foreign: 'takes no ids',
    },
  },
  mailEvents: {
    take: {
      input: async ({ customerId, addHandler }) => ({
        key: eventsKey(secrets, { customerId, id: await addHandler('postmark') }),
        RecordType: 'Delivery',
        MessageID: 'unknown',
      }),
      foreign: 'takes no ids',
    },
  },
}
