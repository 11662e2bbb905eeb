import {
  centsIn,
  type PriceSurface,
  type PrintedAmount,
  type SurfaceInput,
} from '#contract/inventory/pricing/price-surface.ts'
import type { Site, SiteVehicle } from '#contract/marketing/site/site.ts'
import { vehiclePath } from '#contract/marketing/site/vehicle-address.ts'
import { vehicleCard } from '#public/vehicle-card.ts'
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

/** The amounts in a page, from its text. `prominent`: what surrounds the most prominent one. */
function amountsIn(text: string, prominent: RegExp): PrintedAmount[] {
  const first = centsIn(prominent.exec(text)?.[1] ?? '')
  const rest = [...text.matchAll(/\$[\d,]+(?:\.\d\d)?/g)].flatMap(([amount]) => centsIn(amount) ?? [])
  if (first === null) return []
  return [{ cents: first, prominence: 1 }, ...rest.map((cents): PrintedAmount => ({ cents, prominence: 2 }))]
}

function pageOf(input: SurfaceInput): { body: string; head: string } {
  const page = vehiclePage(SITE, {
    vehicle: shown(input),
    store: { name: 'Cars', address: '', phone: null },
    offers: input.price.offers,
    similar: [],
    forms: [],
    form: null,
    origin: 'https://cars.example',
  })
  const head = Array.isArray(page.head) ? JSON.stringify(page.head) : ''
  return { body: page.body.text, head }
}

/** Offers have their own heading and say that they are not in the total price. */
const withoutOffers = (body: string): string =>
  body.replace(/<section class="offers">[\s\S]*?<\/section>/, '')

/** The places of the public sites where buyers read prices. */
export const SITE_PRICE_SURFACES: readonly PriceSurface[] = [
  {
    name: 'vehicle in a list of the public site',
    amounts: (input) => amountsIn(vehicleCard(shown(input)).text, /<strong>([^<]+)<\/strong>/),
  },
  {
    name: 'vehicle page of the public site',
    amounts: (input) =>
      amountsIn(withoutOffers(pageOf(input).body), /class="total">\s*<strong>([^<]+)<\/strong>/),
  },
  {
    name: 'preview of a link to a vehicle page',
    amounts: (input) => amountsIn(pageOf(input).head, /og:title\\"(?:\s|\\n)*content=\\"[^"]*, (\$[\d,.]+)/),
  },
]
