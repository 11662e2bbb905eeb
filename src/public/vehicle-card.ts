import type { SiteVehicle } from '#contract/marketing/site/site.ts'
import { belowMsrp } from '#contract/channels/listings/vehicle-listing.ts'
import { pictureIn, pictureSet } from '#contract/files/picture-widths.ts'
import { html, type Html, prose } from './html.ts'
import { amountText, countText } from './money.ts'

/** `12,400 mi`. A new vehicle without a mileage has none to show. */
export function mileageText({ listing: { mileage } }: SiteVehicle): string | null {
  return mileage === null ? null : `${countText(mileage.value)} ${mileage.unit}`
}

export function conditionText({ listing }: SiteVehicle): string {
  if (listing.isNew) return 'New'
  return listing.isCertified ? 'Certified pre-owned' : 'Used'
}

/** The MSRP of a new vehicle and how far the total price is below it, smaller than the total price. */
export function msrpLine({ listing }: SiteVehicle): Html | null {
  const below = belowMsrp(listing)
  if (below === null) return null
  const money = (cents: number) => amountText(cents, below.msrp.currency)
  return html`<p class="facts">${money(below.savedCents)} below the MSRP of ${money(below.msrp.cents)}</p>`
}

/**
 * The price of a vehicle: always the total price by the lot's price rules, with the sentence that belongs beside it, and the
 * MSRP of a new one if it is above the total.
 */
export function priceBlock(vehicle: SiteVehicle): Html {
  const { price, quote } = vehicle.listing
  if (price === null || quote === null) return html`<p class="price none">Ask for the price</p>`
  return html`<p class="price">
      <strong>${amountText(price.cents, price.currency)}</strong>
      ${quote.totalCents !== quote.sellingCents && html`<span class="label">Total price</span>`}
    </p>
    ${msrpLine(vehicle)} ${quote.sentence !== null && html`<p class="fine">${quote.sentence}</p>`}`
}

/** The customer's texts beside the prices of a page, in small print, once. */
export function smallPrint(disclaimers: readonly string[]): Html | null {
  if (disclaimers.length === 0) return null
  return html`<div class="fine">${disclaimers.map(prose)}</div>`
}

/**
 * A vehicle in a grid. `isEager`: it is visible at once, so its photo isn't loaded lazily. `isFirst`: its photo is the largest
 * part of the page on a phone, so it is loaded before the others.
 */
export function vehicleCard(vehicle: SiteVehicle, { isEager = false, isFirst = false } = {}): Html {
  const { listing, path, picture } = vehicle
  const facts = [conditionText(vehicle), mileageText(vehicle), listing.drivetrain].filter(
    (fact) => fact !== null && fact !== '',
  )
  return html`<li class="card">
    <a class="photo" href="${path}" tabindex="-1" aria-hidden="true">
      ${
        picture === null
          ? html`<span class="no-photo">No photo</span>`
          : html`<img
              src="${pictureIn(picture.url, 640)}"
              srcset="${pictureSet(picture.url)}"
              sizes="(min-width: 64rem) 20rem, (min-width: 40rem) 50vw, 100vw"
              alt=""
              width="480"
              height="320"
              loading="${isEager ? 'eager' : 'lazy'}"
              ${isFirst && html`fetchpriority="high"`}
              decoding="async"
            />`
      }
    </a>
    <div class="text">
      <h2><a href="${path}">${listing.title}</a></h2>
      <p class="facts">${facts.join(' · ')}</p>
      ${priceBlock(vehicle)}
      <p class="store">${listing.seller.lotName}</p>
    </div>
  </li>`
}
