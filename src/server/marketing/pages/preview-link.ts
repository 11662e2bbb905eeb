import { signedLinks } from '../signed-links.ts'

/** Links to the draft of a promo page on the public site. */
export const previewLinks = signedLinks('previews of promo pages')
