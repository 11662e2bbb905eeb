import type { Page } from 'playwright-core'
import { emailHandlers } from '#contract/mail/handlers/handlers.ts'
import { type OpenMail, outbox } from '#contract/mail/outbox/outbox.ts'
import { emailTemplates } from '#contract/mail/templates/templates.ts'
import { suppressions } from '#contract/mail/suppressed/suppressions.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { drawer, see } from '#e2e/harness/steps.ts'

const ADMIN = 'northgate.admin'
const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())
const dialog = (words: string | RegExp) => (page: Page) => see(drawer(page).getByText(words).first())

const BOUNCED: OpenMail = {
  id: '7',
  toName: 'Mara Okafor',
  toEmail: 'mara.okafor@northgate.example',
  subject: 'Your account at Forecourt',
  state: 'sent',
  attempts: 1,
  error: null,
  createdAt: '2026-11-21T09:00:00.000Z',
  sentAt: '2026-11-21T09:00:01.000Z',
  nextAttemptAt: null,
  outcome: 'bounced',
  text: 'Hello Mara.',
  hasSecret: false,
  handlerName: 'Postmark',
  events: [
    { id: '2', kind: 'bounced', at: '2026-11-21T09:01:00.000Z', detail: 'The mailbox was not found.' },
    { id: '1', kind: 'delivered', at: '2026-11-21T09:00:30.000Z', detail: null },
  ],
}

/** How emails are sent, and what became of them. */
export const MAIL_PAGES = {
  '/administration/outbox': {
    person: ADMIN,
    views: {
      outbox: { url: '/administration/outbox', whole: text('Mara Okafor') },
      'outbox-mail': {
        url: { list: '/administration/outbox', link: 'Your account at Forecourt' },
        whole: dialog(/Mara Okafor/),
      },
      'outbox-bounced': {
        url: '/administration/outbox?mail=7',
        given: [{ endpoint: outbox.get, data: BOUNCED }],
        whole: dialog('The mailbox was not found.'),
      },
    },
    loads: [
      {
        url: '/administration/outbox',
        endpoint: outbox.list,
        what: 'the list of emails',
        loading: 'Loading emails',
        more: {
          empty: { answer: rows(0, 0), says: ['No emails yet'] },
          'empty when filtered': {
            url: '/administration/outbox?search=zebra',
            answer: rows(0, 5),
            says: ['No emails match \u201czebra\u201d', 'Clear search'],
          },
        },
      },
      {
        url: '/administration/outbox?mail=1',
        endpoint: outbox.get,
        what: 'this email',
        loading: 'Loading the email',
      },
    ],
  },
  '/administration/email-handlers': {
    person: ADMIN,
    views: {
      'email-handlers': { url: '/administration/email-handlers', whole: text('Kept for training') },
      'email-handler': {
        url: { list: '/administration/email-handlers', link: 'Kept for training' },
        whole: (page) => see(drawer(page).getByLabel('Send a test email to')),
      },
      'email-handler-new': {
        url: '/administration/email-handlers?handler=new',
        whole: (page) => see(drawer(page).getByLabel('Server')),
      },
    },
    loads: [
      {
        url: '/administration/email-handlers',
        endpoint: emailHandlers.list,
        what: 'the list of email handlers',
        loading: 'Loading email handlers',
        more: {
          empty: { answer: rows(0, 0), says: ['No email handlers yet', 'Add handler'] },
          'empty when filtered': {
            url: '/administration/email-handlers?search=zebra',
            answer: rows(0, 5),
            says: ['No email handlers match \u201czebra\u201d', 'Clear search'],
          },
        },
      },
      {
        url: '/administration/email-handlers?handler=1',
        endpoint: emailHandlers.get,
        what: 'this email handler',
        loading: 'Loading the email handler',
      },
    ],
  },
  '/administration/email-templates': {
    person: ADMIN,
    views: {
      'email-templates': { url: '/administration/email-templates', whole: text('Invitation') },
      'email-template': {
        url: '/administration/email-templates?template=invitation',
        whole: async (page) => {
          await see(drawer(page).getByLabel('Subject'), page.getByTitle('Email preview'))
        },
      },
    },
    loads: [
      {
        url: '/administration/email-templates',
        endpoint: emailTemplates.list,
        what: 'the list of email templates',
        loading: 'Loading email templates',
        more: {
          empty: { answer: rows(0, 0), says: ['No email templates'] },
          'empty when filtered': {
            url: '/administration/email-templates?search=zebra',
            answer: rows(0, 2),
            says: ['No email templates match \u201czebra\u201d', 'Clear search'],
          },
        },
      },
      {
        url: '/administration/email-templates?template=invitation',
        endpoint: emailTemplates.get,
        what: 'this email template',
        loading: 'Loading the email template',
      },
    ],
  },
  '/administration/suppressed-addresses': {
    person: ADMIN,
    views: {
      'suppressed-addresses': {
        url: '/administration/suppressed-addresses',
        given: [
          {
            endpoint: suppressions.list,
            data: {
              filteredRows: 1,
              totalRows: 1,
              results: [
                {
                  id: '1',
                  email: 'gone@people.example',
                  reason: 'bounced',
                  detail: 'The mailbox was not found.',
                  createdAt: '2026-11-21T09:01:00.000Z',
                },
              ],
            },
          },
        ],
        whole: text('gone@people.example'),
      },
    },
    loads: [
      {
        url: '/administration/suppressed-addresses',
        endpoint: suppressions.list,
        what: 'the list of suppressed addresses',
        loading: 'Loading suppressed addresses',
        more: {
          empty: { answer: rows(0, 0), says: ['No suppressed addresses'] },
          'empty when filtered': {
            url: '/administration/suppressed-addresses?search=zebra',
            answer: rows(0, 5),
            says: ['No suppressed addresses match \u201czebra\u201d', 'Clear search'],
          },
        },
      },
    ],
  },
} as const satisfies Partial<Record<PagePath, PageCase>>
