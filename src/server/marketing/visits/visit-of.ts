import type { DEVICES } from '#contract/marketing/short-urls/short-urls.ts'
import type { ClickRequest } from './classify-click.ts'

/** What is counted of a person: never who it was. `referrer`: the site with the link; blank without one. */
export type Visit = Readonly<{ device: (typeof DEVICES)[number]['value']; referrer: string }>

const TABLET = /ipad|tablet|kindle|silk|playbook|android(?!.*mobile)/i
const PHONE = /iphone|ipod|mobile|windows phone/i
const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

/** The kind of device and the site with the link, by the headers of a click. */
export function visitOf({ headers }: ClickRequest, ownHost: string): Visit {
  const agent = String(headers['user-agent'] ?? '')
  const referer = String(headers['referer'] ?? '')
  const host = URL.canParse(referer) ? new URL(referer).hostname.toLowerCase().replace(/^www\./, '') : ''
  return {
    device: deviceOf(agent, headers),
    referrer: HOST.test(host) && host.length <= 60 && host !== ownHost ? host : '',
  }
}

function deviceOf(agent: string, headers: ClickRequest['headers']): Visit['device'] {
  if (TABLET.test(agent)) return 'tablet'
  return PHONE.test(agent) || headers['sec-ch-ua-mobile'] === '?1' ? 'phone' : 'desktop'
}
