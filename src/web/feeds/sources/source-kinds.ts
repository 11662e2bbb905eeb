import { FEED_SOURCE_LIST } from '#contract/feeds/sources/feed-source-list.ts'
import type { FeedSource } from '#contract/feeds/sources/feed-sources.ts'

/** Descriptions of the delivery methods. */
export const ABOUT_KINDS: Readonly<Record<FeedSource['kind'], string>> = {
  upload: 'You upload the file on the Feeds page.',
  https: 'We fetch the file from a URL.',
  sftp: 'We fetch the file from a server over SSH.',
  ftps: 'We fetch the file from a server by FTP over TLS.',
  ftp: "We fetch the file by plain FTP, which doesn't encrypt the password. Use FTPS or SFTP if you can.",
  api: 'Your software sends the file to a secret URL.',
  mail: "Emails with the file attached reach a secret URL through Postmark's inbound webhook.",
}

/** The options of the form. */
export const KIND_CHOICES = [...(FEED_SOURCE_LIST.fields.kind.choices ?? [])]

export function kindName(kind: string): string {
  return KIND_CHOICES.find(({ value }) => value === kind)?.label ?? kind
}
