import { ALL_VEHICLES } from '#contract/marketing/site/vehicle-search.ts'
import { jsonLdOf } from '#contract/channels/listings/json-ld.ts'
import { pictureIn, pictureSet } from '#contract/files/picture-widths.ts'
import { realPictures } from '#contract/channels/listings/vehicle-listing.ts'
import type { MenuForm, Site, SiteVehicle, Store } from '#contract/marketing/site/site.ts'
import { html, type Html, jsonLd, type Part } from './html.ts'
import { formLink, messagePage, type Page } from './layout.ts'
import { amountText } from './money.ts'
import { conditionText, mileageText, smallPrint, vehicleCard, msrpLine } from './vehicle-card.ts'

const MAX_DESCRIPTION = 160

export type VehiclePageData = Readonly<{
  vehicle: SiteVehicle
  store: Store
  /** Other forms that visitors of this vehicle can use. */
  forms: readonly MenuForm[]
  similar: readonly SiteVehicle[]
  /** The customer's texts beside the prices of these vehicles. */
  disclaimers: readonly string[]
  /** The form below the vehicle, or null without one. */
  form: Html | null
  /** `https://cars.example`, for addresses in structured data. */
  origin: string
}>

/** The page of a vehicle that is for sale. */
export function vehiclePage(site: Site, data: VehiclePageData): Page {
  const { vehicle, form, forms, similar, origin } = data
  const { listing, path } = vehicle
  const { title, price } = listing
  return {
    title,
    description: descriptionOf(vehicle),
    canonical: path,
    head: [jsonLd(structuredData(vehicle, origin)), socialTags(site, vehicle, origin)],
    body: html`<article class="vehicle">
        <p class="back"><a href="${ALL_VEHICLES}">All vehicles</a></p>
        <header>
          <h1>${title}</h1>
          <p class="facts">
            ${[
              conditionText(vehicle),
              mileageText(vehicle),
              listing.stock === null ? null : `Stock ${listing.stock}`,
            ]
              .filter((fact) => fact !== null)
              .join(' · ')}
          </p>
        </header>
        <div class="columns">
          <div>${vehicleGallery(vehicle)}</div>
          <aside class="buy" aria-label="Price">
            ${priceBox(vehicle)}
            ${form !== null && html`<a class="button wide" href="#ask">Ask about this vehicle</a>`}
            ${forms.length > 0 && html`<p class="more-forms">${forms.map((one) => formLink(one, { query: `?vehicle=${listing.id}`, style: 'button quiet' }))}</p>`}
            ${storeBox(data.store)}
          </aside>
        </div>
        <section>
          <h2>Details</h2>
          ${specifications(vehicle)}
        </section>
        ${
          listing.description !== null &&
          html`<section>
            <h2>Description</h2>
            ${paragraphs(listing.description)}
          </section>`
        }
        ${
          listing.options.length > 0 &&
          html`<section>
            <h2>Equipment</h2>
            <ul class="options">
              ${listing.options.map((option) => html`<li>${option}</li>`)}
            </ul>
          </section>`
        }
        ${form !== null && html`<section id="ask" class="ask">${form}</section>`} ${similarVehicles(similar)}
        ${smallPrint(data.disclaimers)}
      </article>
      ${price !== null && form !== null && html`<div class="sticky"><strong>${amountText(price.cents, price.currency)}</strong> <a class="button" href="#ask">Ask</a></div>`}`,
  }
}

/** The page of a vehicle that was for sale; null: one that the site never showed, so it isn't named. Search engines remove it. */
export function soldPage(
  vehicle: SiteVehicle | null,
  { similar, disclaimers }: Pick<VehiclePageData, 'similar' | 'disclaimers'>,
): Page {
  return messagePage({
    title: `${vehicle === null ? 'This vehicle' : vehicle.listing.title} is no longer for sale`,
    text:
      similar.length > 0
        ? 'These vehicles are similar, and for sale now.'
        : 'See the vehicles that are for sale now.',
    below: [similarVehicles(similar), smallPrint(disclaimers)],
  })
}

/** The photos of a vehicle. `prefix`, `name`: of the IDs and the region of the photos, if the page has several vehicles. */
export function vehicleGallery({ listing }: SiteVehicle, { prefix = 'photo', name = 'Photos' } = {}): Html {
  const pictures = realPictures(listing)
  if (pictures.length === 0) return html`<p class="no-photo big">No photos yet</p>`
  return html`<div
      class="gallery"
      role="region"
      aria-label="${name}"
      tabindex="0"
      data-title="${name}"
      data-previous="Previous photo"
      data-next="Next photo"
      data-close="Close"
    >
      ${pictures.map(
        ({ url, alt }, at) =>
          html`<a href="${url}" id="${prefix}-${at + 1}"
            ><img
              src="${pictureIn(url, 1024)}"
              srcset="${pictureSet(url)}"
              sizes="(min-width: 64rem) 60rem, 100vw"
              width="960"
              height="640"
              alt="${alt === '' ? `Photo ${at + 1} of ${pictures.length}` : alt}"
              ${at === 0 ? html`fetchpriority="high"` : html`loading="lazy"`}
              decoding="async"
          /></a>`,
      )}
    </div>
    ${
      pictures.length > 1 &&
      html`<ul class="thumbs" aria-label="${name}">
        ${pictures.map(
          ({ url }, at) =>
            html`<li>
              <a href="#${prefix}-${at + 1}" aria-label="Photo ${at + 1}"
                ><img
                  src="${pictureIn(url, 320)}"
                  alt=""
                  width="96"
                  height="64"
                  loading="lazy"
                  decoding="async"
              /></a>
            </li>`,
        )}
      </ul>`
    }`
}

/**
 * The total price is the most prominent amount. What it consists of is listed below; conditional offers follow under their
 * own heading and are never subtracted.
 */
export function priceBox(vehicle: SiteVehicle): Html {
  const { price, quote } = vehicle.listing
  if (price === null || quote === null) return html`<p class="total">Ask for the price</p>`
  const money = (cents: number) => amountText(cents, price.currency)
  return html`<p class="total">
      <strong>${money(price.cents)}</strong>
      ${quote.fees.length > 0 && html`<span class="label">Total price</span>`}
    </p>
    ${msrpLine(vehicle)}
    ${
      quote.fees.length > 0 &&
      html`<dl class="lines">
        <dt>Vehicle</dt>
        <dd>${money(quote.sellingCents)}</dd>
        ${quote.fees.map(
          ({ name, cents }) =>
            html`<dt>${name}</dt>
              <dd>${money(cents)}</dd>`,
        )}
        <dt class="sum">Total price</dt>
        <dd class="sum">${money(quote.totalCents)}</dd>
      </dl>`
    }
    ${quote.sentence !== null && html`<p class="fine">${quote.sentence}</p>`}
    ${
      quote.offers.length > 0 &&
      html`<section class="offers">
        <h2>You may also qualify for</h2>
        <ul>
          ${quote.offers.map(
            ({ name, cents, about, disclaimer }) =>
              html`<li>
                <strong>${money(cents)}</strong>
                ${name}${about !== '' && html`: ${about}`}
                ${disclaimer !== null && html`<p class="fine">${disclaimer}</p>`}
              </li>`,
          )}
        </ul>
        <p class="fine">Not included in the total price.</p>
      </section>`
    }`
}

function storeBox({ name, address, phone }: Store): Html {
  return html`<address class="store">
    <strong>${name}</strong><br />${address}
    ${phone !== null && html`<br /><a href="tel:${phone.replaceAll(/[^+\d]/g, '')}">${phone}</a>`}
  </address>`
}

export function specifications(vehicle: SiteVehicle): Html {
  const { listing } = vehicle
  const facts: readonly (readonly [string, string | null])[] = [
    ['Condition', conditionText(vehicle)],
    ['Mileage', mileageText(vehicle)],
    ['Body style', listing.body],
    ['Doors', listing.doors === null ? null : String(listing.doors)],
    ['Exterior color', listing.color],
    ['Interior color', listing.interiorColor],
    ['Engine', listing.engine],
    ['Fuel', listing.fuel],
    ['Transmission', listing.transmission],
    ['Drivetrain', listing.drivetrain],
    ['Certification', listing.certification],
    ['VIN', listing.vin],
    ['Stock number', listing.stock],
  ]
  return html`<dl class="specs">
    ${facts.map(
      ([label, value]) =>
        value !== null &&
        value !== '' &&
        html`<div>
          <dt>${label}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}

/** Vehicles like one that is shown, or that no longer is. */
export function similarVehicles(similar: readonly SiteVehicle[]): Part {
  if (similar.length === 0) return null
  return html`<section class="similar">
    <h2>Similar vehicles</h2>
    <ul class="cards">
      ${similar.map((one) => vehicleCard(one))}
    </ul>
  </section>`
}

/** Descriptions of feeds have line breaks, and no other format. */
function paragraphs(text: string): Html[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => html`<p class="long">${paragraph}</p>`)
}

function descriptionOf(vehicle: SiteVehicle): string {
  const { listing } = vehicle
  const facts = [
    conditionText(vehicle),
    mileageText(vehicle),
    listing.color,
    listing.drivetrain,
    listing.seller.lotName,
  ]
  const text = `${listing.title}: ${facts.filter((fact) => fact !== null && fact !== '').join(', ')}.`
  return text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION - 1)}…` : text
}

/** The same listing as in the channels, with absolute addresses. */
function structuredData({ listing, path }: SiteVehicle, origin: string): Record<string, unknown> {
  const pictures = listing.pictures.map((picture) => ({ ...picture, url: `${origin}${picture.url}` }))
  return jsonLdOf({ ...listing, url: `${origin}${path}`, pictures })
}

/** What a link to the page looks like in a message. The amount is the total price. */
function socialTags(site: Site, vehicle: SiteVehicle, origin: string): Html[] {
  const { listing, picture, path } = vehicle
  const price = listing.price === null ? '' : `, ${amountText(listing.price.cents, listing.price.currency)}`
  const tags: readonly (readonly [string, string | null])[] = [
    ['og:type', 'product'],
    ['og:site_name', site.title],
    ['og:title', `${listing.title}${price}`],
    ['og:description', descriptionOf(vehicle)],
    ['og:url', `${origin}${path}`],
    ['og:image', picture === null ? null : `${origin}${picture.url}`],
  ]
  return tags.flatMap(([property, content]) =>
    content === null ? [] : [html`<meta property="${property}" content="${content}" />`],
  )
}
