import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { SealedColumn } from '#server/installation/sealed-columns.ts'
import type { MailTransport } from '#server/outside/smtp.ts'
import type { Secrets } from '#server/secrets.ts'
import { deliverDue, type Delivered } from './delivery.ts'
import { openHandler, type Ways } from '../handlers/handler-row.ts'
import { DRAFT_MS, makeRenderer, type Renderer } from '../templates/render-template.ts'
import type { ReadPicture } from '../templates/pictures.ts'
import type { OpenWords } from './sealed-words.ts'
import { composeMail, type Mail } from '../templates/template-variables.ts'

export type NewMail = {
  customerId: string
  /** The rooftop whose people see it; null for those who reach the whole customer alone. */
  organizationId: string | null
  /** The person it is for, where it is for one who signs in. */
  userId: string | null
  toName: string
  toEmail: string
  subject: string
  text: string
  /** The same for readers that show colours and pictures. */
  html?: string
  /** A link that opens an account stands in it. */
  hasSecret: boolean
  /** It comes again until its reader does something. */
  isReminder?: boolean
  /** When that link ends: from then on the mail does not go out. */
  expiresAt?: string
}

export type Outbox = {
  /** Whether a customer's mails are sent by anybody: else they stay in the outbox, as kept. */
  isSending: (db: Kysely<DB>, customerId: string) => Promise<boolean>
  /** Puts a mail in line, on whichever connection the caller works. @returns its number. */
  put: (db: Kysely<DB>, mail: NewMail) => Promise<string>
  /** A mail of the product in the words of a customer. */
  compose: (db: Kysely<DB>, mail: Mail) => ReturnType<typeof composeMail>
  /** For words that are not saved yet. */
  renderer: Renderer
  /** Reads a picture of the media that a mail names. */
  picture: ReadPicture
  /** Gets ready to write mails: a forgotten password is answered as fast for accounts there are. */
  warm: () => void
  /** The words of a row. */
  open: OpenWords
  /** Says that a mail waits: a run comes soon. */
  nudge: () => void
  /** Sends what is due. Safe to run at any time, also twice at once. */
  deliver: () => Promise<Delivered>
}

type Parts = {
  iam: Kysely<DB>
  secrets: Secrets
  transport: MailTransport | null
  /** Called when a mail was put in line: its transaction may still be open. */
  onWaiting?: (() => void) | undefined
  /** How customers' own email handlers send. */
  ways?: Omit<Ways, 'secrets'>
  /** Without it mails have no pictures of the media. */
  picture?: ReadPicture
}

/** Postmark's API, and nothing beside this machine. */
const STRICT: Omit<Ways, 'secrets'> = { postmarkUrl: 'https://api.postmarkapp.com', allowsPrivate: false }

/**
 * The outbox of the installation. Words are sealed for their customer and recipient: moved to another row they open
 * only where the same person would have got them anyway.
 */
export function makeOutbox(parts: Parts): Outbox {
  const { iam, secrets, transport, onWaiting = () => {}, ways = STRICT, picture = async () => null } = parts
  const open: Outbox['open'] = (row) => secrets.open(row.textSealed, contextOf(row))
  const isSending: Outbox['isSending'] = async (db, customerId) => {
    const handler = await db
      .selectFrom('emailHandlers')
      .select('kind')
      .where('customerId', '=', customerId)
      .where('isDefault', '=', true)
      .executeTakeFirst()
    return handler === undefined ? transport !== null : handler.kind !== 'outbox'
  }
  // Words that are being tried wait for each other, and never hold up a mail.
  const [drafts, mails] = [makeRenderer(DRAFT_MS), makeRenderer()]
  return {
    isSending,
    renderer: drafts,
    picture,
    warm: mails.warm,
    compose: (db, mail) => composeMail(db, mails, mail),
    async put(db, { text, html, ...mail }) {
      const isKept = !(await isSending(db, mail.customerId))
      const { id } = await db
        .insertInto('outboxMails')
        .values({
          ...mail,
          textSealed: secrets.seal(text, contextOf(mail)),
          htmlSealed: html === undefined ? null : secrets.seal(html, htmlContextOf(mail)),
          state: isKept ? 'kept' : 'waiting',
          nextAttemptAt: isKept ? null : sql`app_now()`,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (!isKept) onWaiting()
      return id
    },
    open,
    nudge: onWaiting,
    deliver: () =>
      deliverDue(
        iam,
        (handler) => (handler === null ? transport : openHandler(handler, { ...ways, secrets })),
        {
          text: open,
          html: (row) => (row.htmlSealed === null ? null : secrets.open(row.htmlSealed, htmlContextOf(row))),
          picture,
        },
      ),
  }
}

/** Where the sealed words are, for a new secret. */
export const sealedMails: readonly SealedColumn[] = [
  sealedWords('text_sealed', contextOf),
  sealedWords('html_sealed', htmlContextOf),
]

function sealedWords(
  column: string,
  context: (mail: { customerId: string; toEmail: string }) => string,
): SealedColumn {
  return {
    table: 'public.outbox_mails',
    column,
    contextColumns: ['customer_id', 'to_email'],
    context: (row) => context({ customerId: row.customer_id ?? '', toEmail: row.to_email ?? '' }),
  }
}

function contextOf({ customerId, toEmail }: { customerId: string; toEmail: string }): string {
  return `outbox_mails.text_sealed/${customerId}/${toEmail}`
}

function htmlContextOf({ customerId, toEmail }: { customerId: string; toEmail: string }): string {
  return `outbox_mails.html_sealed/${customerId}/${toEmail}`
}
