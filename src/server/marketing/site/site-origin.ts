/** The site's address, with the scheme and port of the product. */
export function originOf({ host }: { host: string }, base: string): string {
  const address = new URL(base)
  address.hostname = host
  return address.origin
}
