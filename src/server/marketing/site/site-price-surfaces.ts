import {
  centsIn,
  type PriceSurface,
  type PrintedAmount,
  type SurfaceInput,
} from '#contract/channels/listings/price-surface.ts'
import type { Site, SiteVehicle } from '#contract/marketing/site/site.ts'
import { vehiclePath } from '#contract/marketing/site/vehicle-address.ts'
import { html } from '#public/html.ts'
import { clock } from '#server/clock.ts'
import { vehicleCard } from '#public/vehicle-card.ts'
import { campaignMailHtml, campaignMailText } from '#public/campaign-mail.ts'
import { promoPage } from '#public/promo-page.ts'
import { vehiclePage } from '#public/vehicle-page.ts'

const SITE: Site = {
  customerId: '1',
  host: 'cars.example',
  title: 'Cars',
  logo: null,
  favicon: null,
  footer: '',
  brand: '#0b6e4f',
}

const shown = ({ listing }: SurfaceInput): SiteVehicle => ({
  listing,
  path: vehiclePath(listing),
  picture: null,
})

const AMOUNTS = /\$[\d,]+(?:\.\d\d)?/g
const VOID_TAGS = /^(?:area|br|hr|img|input|link|meta|source|wbr)$/
/** What browsers and the style sheets of the site show larger or bolder than text. */
const PROMINENT_TAGS = /^(?:strong|b|big|h1|h2|h3|title)$/
const PROMINENT_CLASSES = /(?:^|\s)(?:total|price|sticky)(?:\s|$)/
/** Smaller again inside one of those: "Total price" beside the amount, and the sentence below it. */
const SMALL_CLASSES = /(?:^|\s)(?:label|fine)(?:\s|$)/

/** The amounts in a page, from its text. Each is as prominent as the elements around it. */
export function amountsIn(page: string): PrintedAmount[] {
  const open: { tag: string; prominence: 1 | 2 }[] = []
  return page.split(/(<[^>]*>)/).flatMap((part): PrintedAmount[] => {
    if (!part.startsWith('<')) {
      const prominence = open.at(-1)?.prominence ?? 2
      return [...part.matchAll(AMOUNTS)].map(([text]) => ({ cents: centsIn(text) ?? 0, prominence }))
    }
    const [, slash, tag = ''] = /^<(\/?)([\w-]+)/.exec(part) ?? []
    if (slash === '/') open.splice(open.findLastIndex((one) => one.tag === tag))
    else if (!VOID_TAGS.test(tag) && !part.endsWith('/>')) {
      open.push({ tag, prominence: prominenceOf(tag, part) ?? open.at(-1)?.prominence ?? 2 })
    }
    return []
  })
}

function prominenceOf(tag: string, text: string): 1 | 2 | null {
  const names = /\sclass="([^"]*)"/.exec(text)?.[1] ?? ''
  if (SMALL_CLASSES.test(names)) return 2
  return PROMINENT_TAGS.test(tag) || PROMINENT_CLASSES.test(names) ? 1 : null
}

/** The amounts in the preview of a link: messages show its title and description alone. */
const amountsInPreview = (head: string): PrintedAmount[] =>
  [...head.matchAll(/<meta property="[^"]*" content="([^"]*)"/g)].flatMap(([, content = '']) =>
    [...content.matchAll(AMOUNTS)].map(([text]) => ({ cents: centsIn(text) ?? 0, prominence: 1 })),
  )

/** The page with everything that it can have: the bar of a phone needs a form, and similar vehicles are cards. */
export function vehiclePageOf(input: SurfaceInput): { body: string; head: string } {
  const { body, head } = wholePageOf(input)
  return { body: withoutOffers(body), head }
}

function wholePageOf(input: SurfaceInput): { body: string; head: string } {
  const { body, head } = vehiclePage(SITE, {
    vehicle: shown(input),
    store: { name: 'Cars', address: '', phone: null },
    similar: [shown(input)],
    disclaimers: input.disclaimers,
    forms: [],
    form: html`<form></form>`,
    origin: 'https://cars.example',
  })
  return { body: body.text, head: html`${head}`.text }
}

/** Offers have their own heading and say that they are not in the total price. */
const withoutOffers = (text: string): string =>
  text.replace(/<section class="offers">[\s\S]*?<\/section>/, '')

/** A promo page with the vehicle as a block of its own. */
function promoPageOf(input: SurfaceInput): string {
  const data = { heading: '', vehicleId: '1', hasPhotos: true, hasPrice: true, hasDetails: true }
  const { body } = promoPage(SITE, {
    content: {
      slug: 'page',
      title: 'Page',
      description: null,
      blocks: [{ id: 'one', type: 'vehicle', data }],
      vehicles: {
        one: { shown: [shown(input)], total: 1, path: null },
      },
      lots: {},
      disclaimers: input.disclaimers,
      zone: 'UTC',
    },
    form: null,
    path: '/p/page',
    pictureUrl: (path) => path,
    origin: 'https://cars.example',
    now: clock.date(),
    isPreview: false,
  })
  return body.text
}

/** The email of a campaign with the vehicle. */
const campaignMailOf = (input: SurfaceInput) => ({
  company: 'Cars',
  brand: '#0b6e4f',
  origin: 'https://cars.example',
  headline: 'Cars',
  text: '',
  vehicles: [shown(input)],
  linkOf: () => 'https://cars.example/c/1',
  button: null,
  disclaimers: input.disclaimers,
  lot: { name: 'Cars', address: '' },
  why: '',
  unsubscribe: 'https://cars.example/u/1',
})

/** The places of the public sites and of campaigns where buyers read prices. */
export const SITE_PRICE_SURFACES: readonly PriceSurface[] = [
  {
    name: 'vehicle in a list of the public site',
    text: (input) => vehicleCard(shown(input)).text,
    amounts: (input) => amountsIn(vehicleCard(shown(input)).text),
  },
  {
    name: 'vehicle block of a promo page',
    text: promoPageOf,
    amounts: (input) => amountsIn(withoutOffers(promoPageOf(input))),
  },
  {
    name: 'vehicle in the email of a campaign',
    text: (input) => campaignMailHtml(campaignMailOf(input)),
    amounts: (input) => amountsIn(campaignMailHtml(campaignMailOf(input))),
  },
  {
    name: 'vehicle in the text of the email of a campaign',
    text: (input) => campaignMailText(campaignMailOf(input)),
    // Nothing in it is larger than the rest: the first amount is the one that is read.
    amounts: (input) =>
      amountsIn(campaignMailText(campaignMailOf(input))).map((amount, at) => ({
        ...amount,
        prominence: at === 0 ? 1 : 2,
      })),
  },
  {
    name: 'vehicle page of the public site',
    text: (input) => wholePageOf(input).body,
    amounts: (input) => amountsIn(vehiclePageOf(input).body),
  },
  {
    name: 'preview of a link to a vehicle page',
    text: (input) => wholePageOf(input).head,
    amounts: (input) => amountsInPreview(vehiclePageOf(input).head),
  },
]
