import type { HeaderPolicy } from '#server/http/security-headers.ts'

/**
 * The public pages. Everything they load comes from their own host; there are no inline scripts or styles, and no other site
 * can show them in a frame.
 */
export const SITE_HEADERS: HeaderPolicy = {
  content: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    workerSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  referrer: 'strict-origin-when-cross-origin',
  permissions: 'camera=(), geolocation=(), microphone=(), payment=(), browsing-topics=()',
}
