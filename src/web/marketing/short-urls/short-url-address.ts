import type { ShortUrl } from '#contract/marketing/short-urls/short-urls.ts'

/** The address that visitors open, with the scheme and port of this page; null without a verified public domain. */
export function addressOf({ host, key }: Pick<ShortUrl, 'host' | 'key'>): string | null {
  if (host === null) return null
  const { protocol, port } = location
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}/s/${key}`
}
