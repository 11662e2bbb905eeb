import { setTimeout as wait } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { Outside } from '#server/database/outside-transaction.ts'
import type { DB } from '#server/database/schema.ts'
import type { SealedColumn } from '#server/installation/sealed-columns.ts'
import type { MailTransport } from '#server/outside/smtp.ts'
import type { Secrets } from '#server/secrets.ts'
import {
  deliverDue,
  deliverOne,
  type Delivered,
  type OpenParts,
  type OpenTransport,
  type SentNow,
} from './delivery.ts'
import { openHandler, type TransportOptions } from '../handlers/handler-row.ts'
import { DRAFT_MS, makeRenderer, type Renderer } from '../templates/render-template.ts'
import type { ReadPicture } from '../templates/pictures.ts'
import type { DecryptText } from './sealed-text.ts'
import { composeMail, type Mail } from '../templates/template-variables.ts'

export type NewMail = {
  customerId: string
  /** The rooftop whose users can see it; null if only users with customer reach can. */
  organizationId: string | null
  /** The recipient, if they are a user. */
  userId: string | null
  toName: string
  toEmail: string
  subject: string
  text: string
  /** The HTML version. */
  html?: string
  /** Contains a link or code that gives access to an account. */
  hasSecret: boolean
  /** It names a buyer of a lead: only users who may read leads see it. */
  isAboutBuyer?: boolean
  /** A recurring reminder. */
  isReminder?: boolean
  /** When the link expires; the email isn't sent afterward. */
  expiresAt?: string
  /** The ID in its Message-ID; by default a new one. */
  messageKey?: string
  /** A person wrote it: their name, and where answers go. Auto-responders may answer it. */
  isPersonal?: boolean
  fromName?: string
  replyTo?: string
  /** The Message-ID of the email it answers, without angle brackets. */
  inReplyTo?: string
  /** Seconds until the second, third and every later attempt, instead of the schedule of other emails. */
  retryWaits?: readonly number[]
  /** Never repeated once a mail server may have it: then it is in doubt. Others go first. */
  isOnce?: boolean
  /** Opens a page with a button, and unsubscribes on POST (RFC 8058). */
  unsubscribeUrl?: string
  /** The handler that sends it, instead of the customer's default. */
  chosenHandlerId?: string
}

export type Outbox = {
  /** Whether a customer's emails are sent at all, instead of staying in the outbox as `kept`. */
  isSending: (db: Kysely<DB>, customerId: string, handlerId?: string) => Promise<boolean>
  /** Queues an email, on the caller's connection. @returns its ID. */
  put: (db: Kysely<DB>, mail: NewMail) => Promise<string>
  /**
   * Sends an email while its reader waits, and says what became of it. What isn't accepted stays queued; so does an email
   * when no mail server answers within some seconds.
   */
  sendNow: (mail: NewMail) => Promise<SentNow>
  /** Composes an email from the customer's template. */
  compose: (db: Kysely<DB>, mail: Mail) => ReturnType<typeof composeMail>
  /** For unsaved templates. */
  renderer: Renderer
  /** Reads media pictures used in an email. Not while a transaction is open, because storage can be remote. */
  picturesFor: (outside: Outside) => ReadPicture
  /** Prepares rendering, so that password requests take the same time whether or not the account exists. */
  warm: () => void
  /** Decrypts the text of a row. */
  open: DecryptText
  /** Triggers a run soon. */
  wake: () => void
  /** Sends what is due. Safe to run at any time, even concurrently. */
  deliver: () => Promise<Delivered>
}

type Parts = {
  iam: Kysely<DB>
  secrets: Secrets
  transport: MailTransport | null
  /** Called after an email is queued; its transaction may still be open. */
  onQueued?: (() => void) | undefined
  /** Options for customers' own email handlers. */
  transportOptions?: Omit<TransportOptions, 'secrets'>
  /** Without it, emails have no media pictures. */
  picture?: ReadPicture
}

/** How long a reader waits for the answer of a mail server, and how long no other run takes that email. */
const ANSWER_MS = 8_000
const CLAIM_SECONDS = 60

/** Postmark's API, without private networks. */
const STRICT: Omit<TransportOptions, 'secrets'> = {
  postmarkUrl: 'https://api.postmarkapp.com',
  allowsPrivate: false,
}

/**
 * The outbox of the installation. Text is encrypted for its customer and recipient: moved to another row, it can be
 * decrypted only for the same recipient.
 */
export function makeOutbox(parts: Parts): Outbox {
  const {
    iam,
    secrets,
    transport,
    onQueued = () => {},
    transportOptions = STRICT,
    picture = async () => null,
  } = parts
  const open: Outbox['open'] = (row) => secrets.open(row.textSealed, contextOf(row))
  const isSending: Outbox['isSending'] = async (db, customerId, handlerId) => {
    const own = db.selectFrom('emailHandlers').select('kind').where('customerId', '=', customerId)
    const handler = await (
      handlerId === undefined ? own.where('isDefault', '=', true) : own.where('id', '=', handlerId)
    ).executeTakeFirst()
    return handler === undefined ? transport !== null : handler.kind !== 'outbox'
  }
  /** @param inSeconds when a run may take it; in the meantime the caller sends it. */
  async function put(db: Kysely<DB>, { text, html, retryWaits, ...mail }: NewMail, inSeconds = 0) {
    const isKept = !(await isSending(db, mail.customerId, mail.chosenHandlerId))
    const { id } = await db
      .insertInto('outboxMails')
      .values({
        ...mail,
        ...(retryWaits !== undefined && { retryWaits: [...retryWaits] }),
        textSealed: secrets.seal(text, contextOf(mail)),
        htmlSealed: html === undefined ? null : secrets.seal(html, htmlContextOf(mail)),
        state: isKept ? 'kept' : 'waiting',
        nextAttemptAt: isKept ? null : sql`app_now() + ${inSeconds} * interval '1 second'`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (!isKept && inSeconds === 0) onQueued()
    return id
  }
  const transportOf: OpenTransport = (handler) =>
    handler === null ? transport : openHandler(handler, { ...transportOptions, secrets })
  const contents: OpenParts = {
    text: open,
    html: (row) => (row.htmlSealed === null ? null : secrets.open(row.htmlSealed, htmlContextOf(row))),
    picture,
  }
  // Drafts have their own renderer, so they never delay emails.
  const [drafts, mails] = [makeRenderer(DRAFT_MS), makeRenderer()]
  return {
    isSending,
    renderer: drafts,
    picturesFor: () => picture,
    warm: mails.warm,
    compose: (db, mail) => composeMail(db, mails, mail),
    put,
    async sendNow(mail) {
      const id = await put(iam, mail, CLAIM_SECONDS)
      const sending = deliverOne(iam, transportOf, contents, { customerId: mail.customerId, id })
      // What fails after the caller was told that there was no answer stays queued, and is tried again.
      sending.catch(() => {})
      return Promise.race([sending, wait(ANSWER_MS, 'unanswered' as const, { ref: false })])
    },
    open,
    wake: onQueued,
    async deliver() {
      const { done, hasMore } = await deliverDue(iam, transportOf, contents)
      if (hasMore) onQueued()
      return done
    },
  }
}

/** The encrypted columns, for rotating the installation's secret. */
export const sealedMails: readonly SealedColumn[] = [
  sealedTextColumn('text_sealed', contextOf),
  sealedTextColumn('html_sealed', htmlContextOf),
]

function sealedTextColumn(
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
