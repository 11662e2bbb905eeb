import { FEED_SOURCE_LIST } from '#contract/inventory/feeds/sources/feed-source-list.ts'
import type { FeedSource } from '#contract/inventory/feeds/sources/feed-sources.ts'

/** How a feed comes by each kind, as a sentence under the choice. */
export const ABOUT_KINDS: Readonly<Record<FeedSource['kind'], string>> = {
  upload: 'Somebody drops the file on this page.',
  https: 'The file is fetched from an address of the web.',
  sftp: 'The file is fetched from a server, over SSH.',
  ftps: 'The file is fetched from a server, by FTP over TLS.',
  ftp: 'The file is fetched by plain FTP: its password travels unprotected. Prefer FTPS or SFTP.',
  api: 'A program sends the file to an address that nobody guesses.',
  mail: 'Mails with the file come to an address that nobody guesses, by the inbound webhook of Postmark.',
}

/** The kinds as the form offers them. */
export const KIND_CHOICES = [...(FEED_SOURCE_LIST.fields.kind.choices ?? [])]

export function kindName(kind: string): string {
  return KIND_CHOICES.find(({ value }) => value === kind)?.label ?? kind
}
