// Runs in a thread with limited memory and time, so that no email can block the server.
import { parentPort } from 'node:worker_threads'
import { InboundMail } from '#contract/feeds/sources/feed-sources.ts'
import { JSON_REFUSALS, parseJson } from '#server/threads/parse-json.ts'
import { oneLine, shortName } from '#server/formats/file-name.ts'

/** The body of a request, in pieces. */
export type MailTask = { pieces: Uint8Array<ArrayBuffer>[] }
/** `bytes`: null if the name isn't that of a feed. */
export type MailFile = { name: string; bytes: Uint8Array<ArrayBuffer> | null }
export type FeedMail =
  | { kind: 'mail'; messageId: string; from: string; files: MailFile[] }
  | { kind: 'refused'; message: string }

parentPort?.on('message', (task: MailTask) => {
  const mail = readFeedMail(task)
  const files = mail.kind === 'mail' ? mail.files : []
  parentPort?.postMessage(
    mail,
    files.flatMap(({ bytes }) => (bytes === null ? [] : [bytes.buffer])),
  )
})

/** An email in the format of Postmark's inbound webhook, with the content of its feeds. */
function readFeedMail({ pieces }: MailTask): FeedMail {
  const parsed = parseJson(Buffer.concat(pieces).toString('utf8'))
  if (parsed.kind === 'damaged json')
    return { kind: 'refused', message: 'The request body is not valid JSON.' }
  if (parsed.kind === 'large json') return { kind: 'refused', message: JSON_REFUSALS[parsed.kind] }
  const { data: mail } = InboundMail.safeParse(parsed.value)
  if (mail === undefined) return { kind: 'refused', message: NO_EMAIL }
  return {
    kind: 'mail',
    messageId: mail.MessageID,
    from: oneLine(mail.FromFull?.Email ?? mail.From ?? '').toLowerCase(),
    files: mail.Attachments.map(({ Name, Content }) => {
      const name = shortName(Name)
      return { name, bytes: isFeed(name) ? new Uint8Array(Buffer.from(Content, 'base64')) : null }
    }),
  }
}

const NO_EMAIL = "This isn't an email in the Postmark inbound format: MessageID and Attachments are expected."

/** Decided by file name, because many emails also carry images and signatures. */
const isFeed = (name: string): boolean => /\.(?:(?:csv|tsv|txt|xml|json)(?:\.gz)?|zip|xlsx)$/i.test(name)
