import { pictureIn, pictureSet } from '#contract/files/picture-widths.ts'
import { type Block, type BlockOf, type BlockPicture, picturesIn } from '#contract/marketing/pages/blocks.ts'
import type { PageLot, PromoPageContent } from '#contract/marketing/site/promo-page.ts'
import { ALL_VEHICLES } from '#contract/marketing/site/vehicle-search.ts'
import type { Site } from '#contract/marketing/site/site.ts'
import { openingAt } from '#contract/open-now.ts'
import { DAY_NAMES, type Period, WEEKDAYS } from '#contract/opening-hours.ts'
import { today } from '#contract/today.ts'
import { html, type Html, type Part, prose } from './html.ts'
import type { Page } from './layout.ts'
import { counted } from './money.ts'
import { pageTexts } from './page-texts.ts'
import { conditionText, mileageText, smallPrint, vehicleCard } from './vehicle-card.ts'
import { priceBox, similarVehicles, specifications, vehicleGallery } from './vehicle-page.ts'

export type PromoPageView = Readonly<{
  content: PromoPageContent
  /** The form of the page, ready to be filled in. */
  form: Html | null
  /** `/p/{slug}`, or `/` of the home page. */
  path: string
  pictureUrl: (path: string) => string
  /** `https://cars.example`. */
  origin: string
  now: Date
  /** Of the draft, for the dealer's own people. */
  isPreview: boolean
  /** What the page sends when a person uses it; absent: nothing. */
  visitMark?: string | null
  /** Marks where each block begins, for the editor. */
  hasMarks?: boolean
}>

/** A promo page: its blocks from top to bottom. It needs no script. */
export function promoPage(site: Site, view: PromoPageView): Page {
  const { content, path, isPreview } = view
  const { title, description, blocks } = content
  const [first] = blocks
  return {
    title,
    description,
    canonical: path,
    isUnlisted: isPreview,
    head: socialTags(site, view),
    body: html`${isPreview && html`<p class="notice" role="status">This is a preview of the draft. Visitors don’t see it.</p>`}
      <article class="vehicle" ${view.visitMark && html`data-visit="${view.visitMark}"`}>
        ${first?.type !== 'hero' && html`<h1>${title}</h1>`}
        ${blocks.map((block, at) => [
          view.hasMarks === true && html`<template data-block="${block.id}"></template>`,
          sectionOf(block, view, { isFirst: at === 0 }),
        ])}
        ${smallPrint(content.disclaimers)}
      </article>`,
  }
}

type Place = { isFirst: boolean }

const CLOSED = pageTexts('en')('closedText')

function sectionOf(block: Block, view: PromoPageView, place: Place): Part {
  switch (block.type) {
    case 'hero':
      return hero(block, view, place)
    case 'text':
      return section(block.data.heading, html`<div class="prose">${prose(block.data.text)}</div>`)
    case 'picture':
      return figure(block, view, place)
    case 'vehicles':
      return vehicles(block, view, place)
    case 'vehicle':
      return oneVehicle(block, view)
    case 'form':
      return (
        block.data.formKey !== '' &&
        html`<section id="ask" class="ask">
          ${titled(block.data.heading)} ${view.form ?? html`<p>${CLOSED}</p>`}
        </section>`
      )
    case 'hours':
      return hours(block, view)
    case 'map':
      return map(block, view)
    case 'staff':
      return staff(block)
    case 'specials':
      return specials(block, view)
    case 'gallery':
      return gallery(block, view, place)
    case 'columns':
      return columns(block, view, place)
    case 'questions':
      return questions(block)
    case 'countdown':
      return countdown(block, view)
    case 'action':
      return action(block)
    default:
      return html`<div class="fine">${prose(block.data.text)}</div>`
  }
}

const titled = (heading: string): Part => heading !== '' && html`<h2>${heading}</h2>`
const section = (heading: string, body: Part): Html => html`<section>${titled(heading)} ${body}</section>`

function hero({ data }: BlockOf<'hero'>, view: PromoPageView, { isFirst }: Place): Html {
  const { title, text, picture, button } = data
  const heading = isFirst ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`
  return html`<header class="columns">
    <div>${heading} ${text !== '' && html`<p>${text}</p>`} ${buttonLine([button])}</div>
    ${picture.path !== '' && image(picture, view, { isFirst, sizes: '(min-width: 64rem) 40rem, 100vw' })}
  </header>`
}

type Button = BlockOf<'hero'>['data']['button']

/** The first is the one that stands out. */
function buttonLine(buttons: readonly Button[]): Part {
  const shown = buttons.filter(({ label, href }) => label !== '' && href !== '')
  if (shown.length === 0) return null
  return html`<p>
    ${shown.map(({ label, href }, at) => html`<a class="${at === 0 ? 'button' : 'button quiet'}" href="${href}">${label}</a> `)}
  </p>`
}

function image(
  { path, alt }: BlockPicture,
  { pictureUrl }: PromoPageView,
  { isFirst, sizes }: Place & { sizes: string },
): Html {
  const url = pictureUrl(path)
  return html`<img
    src="${pictureIn(url, 1024)}"
    srcset="${pictureSet(url)}"
    sizes="${sizes}"
    alt="${alt}"
    ${isFirst ? html`fetchpriority="high"` : html`loading="lazy"`}
    decoding="async"
  />`
}

function figure(
  { data: { picture, caption } }: BlockOf<'picture'>,
  view: PromoPageView,
  { isFirst }: Place,
): Part {
  if (picture.path === '') return null
  return html`<figure>
    ${image(picture, view, { isFirst, sizes: '(min-width: 80rem) 78rem, 100vw' })}
    ${caption !== '' && html`<figcaption class="fine">${caption}</figcaption>`}
  </figure>`
}

/** Each opens in full size without a script. */
function gallery({ data }: BlockOf<'gallery'>, view: PromoPageView, { isFirst }: Place): Part {
  const shown = data.pictures.filter(({ picture }) => picture.path !== '')
  if (shown.length === 0) return null
  return section(
    data.heading,
    html`<ul class="cards">
      ${shown.map(
        ({ picture, caption }, at) =>
          html`<li class="card">
            <a class="photo" href="${pictureIn(view.pictureUrl(picture.path), 1600)}"
              >${image(picture, view, { isFirst: isFirst && at === 0, sizes: CARD_SIZES })}</a
            >
            ${caption !== '' && html`<p class="text">${caption}</p>`}
          </li>`,
      )}
    </ul>`,
  )
}

const CARD_SIZES = '(min-width: 64rem) 20rem, (min-width: 40rem) 50vw, 100vw'

function columns({ data }: BlockOf<'columns'>, view: PromoPageView, { isFirst }: Place): Part {
  if (data.columns.length === 0) return null
  return section(
    data.heading,
    html`<ul class="cards">
      ${data.columns.map(
        ({ heading, text, picture, button }, at) =>
          html`<li class="card">
            ${picture.path !== '' && html`<div class="photo">${image(picture, view, { isFirst: isFirst && at === 0, sizes: CARD_SIZES })}</div>`}
            <div class="text">
              ${heading !== '' && cardTitle(data.heading, heading)} ${prose(text)} ${buttonLine([button])}
            </div>
          </li>`,
      )}
    </ul>`,
  )
}

/** Titles of cards are below the heading of their block, if it has one. */
const cardTitle = (above: string, title: string): Html =>
  above === '' ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`

function questions({ data: { heading, items } }: BlockOf<'questions'>): Part {
  if (items.length === 0) return null
  return section(
    heading,
    html`${items.map(
      ({ question, answer }) =>
        html`<details>
          <summary>${question}</summary>
          ${prose(answer)}
        </details>`,
    )}`,
  )
}

/** Days are those of the store, so it is right without a script. */
function countdown({ data: { heading, text, endsOn } }: BlockOf<'countdown'>, view: PromoPageView): Part {
  const left = daysBetween(today(view.content.zone, view.now), endsOn)
  if (Number.isNaN(left) || left < 0) return null
  const ends = left === 0 ? 'Ends today' : `${counted(left, ['day', 'days'])} left, until ${dayText(endsOn)}`
  return section(
    heading,
    html`<p><strong>${ends}</strong></p>
      ${prose(text)}`,
  )
}

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000

const action = ({ data: { heading, text, button, second } }: BlockOf<'action'>): Html =>
  section(heading, html`${prose(text)} ${buttonLine([button, second])}`)

/** One vehicle as its own page shows it. */
function oneVehicle({ id, data }: BlockOf<'vehicle'>, { content }: PromoPageView): Html {
  const found = content.vehicles[id]
  const vehicle = found?.shown[0]
  if (vehicle === undefined)
    return section(
      data.heading,
      html`<p>This vehicle is no longer for sale. <a href="${ALL_VEHICLES}">See all vehicles</a></p>
        ${similarVehicles(found?.similar ?? [])}`,
    )
  const { listing, path } = vehicle
  const name = html`<a href="${path}">${listing.title}</a>`
  const facts = [conditionText(vehicle), mileageText(vehicle)].filter((fact) => fact !== null)
  const price =
    data.hasPrice &&
    html`<aside class="buy" aria-label="Price of ${listing.title}">${priceBox(vehicle)}</aside>`
  const photos =
    data.hasPhotos &&
    html`<div>${vehicleGallery(vehicle, { prefix: `${id}-photo`, name: `Photos of ${listing.title}` })}</div>`
  return html`<section>
    ${
      data.heading === ''
        ? html`<h2>${name}</h2>`
        : html`<h2>${data.heading}</h2>
            <h3>${name}</h3>`
    }
    <p class="facts">${facts.join(' · ')}</p>
    ${photos !== false && price !== false ? html`<div class="columns">${photos}${price}</div>` : [photos, price]}
    ${data.hasDetails && specifications(vehicle)}
  </section>`
}

/** Prices are those of the cards: the total prices of the price engine. */
function vehicles(
  { id, data: { heading } }: BlockOf<'vehicles'>,
  { content }: PromoPageView,
  { isFirst }: Place,
): Html {
  const { shown, total, path } = content.vehicles[id] ?? { shown: [], total: 0, path: null }
  return section(
    heading,
    html`${
      shown.length === 0
        ? html`<p>
            None of these vehicles is for sale right now. <a href="${ALL_VEHICLES}">See all vehicles</a>
          </p>`
        : html`<ul class="cards">
            ${shown.map((vehicle, at) => vehicleCard(vehicle, { isEager: isFirst && at < 3, isFirst: isFirst && at === 0 }))}
          </ul>`
    }
    ${path !== null && total > shown.length && html`<p><a class="button quiet" href="${path}">See all ${counted(total, ['vehicle', 'vehicles'])}</a></p>`}`,
  )
}

function hours({ data }: BlockOf<'hours'>, { content, now }: PromoPageView): Part {
  const lot = content.lots[data.lotId ?? '']
  if (lot === undefined) return null
  const opening = openingAt(lot, now)
  return section(
    data.heading,
    html`<p>
        <strong>${lot.name}</strong
        >${opening.state !== 'unknown' && html`: ${opening.state === 'open' ? open(opening.until) : closed(opening.opens)}`}
        ${opening.state !== 'unknown' && opening.holiday !== null && html` (${opening.holiday})`}
      </p>
      ${
        lot.hours.length > 0 &&
        html`<dl class="specs">
          ${WEEKDAYS.map(
            (day) =>
              html`<div>
                <dt>${DAY_NAMES[day]}</dt>
                <dd>${periods(lot.hours.filter((one) => one.day === day))}</dd>
              </div>`,
          )}
          ${comingHolidays(lot, now).map(
            ({ on, name, hours: own }) =>
              html`<div>
                <dt>${name}, ${dayText(on)}</dt>
                <dd>${periods(own)}</dd>
              </div>`,
          )}
        </dl>`
      }
      ${lot.hours.length === 0 && html`<p>Call us for our hours.</p>`} ${phoneLine(lot.phone)}`,
  )
}

type Wall = Readonly<{ on: string; at: string }> | null
const open = (until: Wall): string => (until === null ? 'open now' : `open now, until ${timeText(until.at)}`)
const closed = (opens: Wall): string =>
  opens === null ? 'closed now' : `closed now, opens ${dayText(opens.on)} at ${timeText(opens.at)}`

const MAX_HOLIDAYS = 4
const comingHolidays = ({ holidays, zone }: PageLot, now: Date) =>
  holidays.filter(({ on }) => on >= today(zone, now)).slice(0, MAX_HOLIDAYS)

const periods = (all: readonly Period[]): string =>
  all.length === 0
    ? 'Closed'
    : all.map(({ opens, closes }) => `${timeText(opens)} to ${timeText(closes)}`).join(', ')

/** `17:30` as `5:30 PM`. */
function timeText(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return `${hour % 12 === 0 ? 12 : hour % 12}:${String(minute).padStart(2, '0')} ${hour % 24 < 12 ? 'AM' : 'PM'}`
}

const DAY = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})
const dayText = (on: string): string => DAY.format(new Date(`${on}T00:00:00Z`))

/** A link to directions: a map of another site would tell it who visits. */
function map({ data }: BlockOf<'map'>, { content }: PromoPageView): Part {
  const lot = content.lots[data.lotId ?? '']
  if (lot === undefined) return null
  const query = encodeURIComponent([lot.name, lot.address].filter((part) => part !== '').join(', '))
  return section(
    data.heading,
    html`<address class="store"><strong>${lot.name}</strong><br />${lot.address}</address>
      <p>
        <a
          class="button quiet"
          href="https://www.openstreetmap.org/search?query=${query}"
          rel="noopener noreferrer"
          >Directions</a
        >
      </p>
      ${phoneLine(lot.phone)}`,
  )
}

const phoneLine = (phone: string | null): Part =>
  phone !== null && phone !== '' && html`<p><a href="tel:${phone.replaceAll(/[^+\d]/g, '')}">${phone}</a></p>`

function staff({ data: { heading, people } }: BlockOf<'staff'>): Part {
  if (people.length === 0) return null
  return section(
    heading,
    html`<ul class="cards">
      ${people.map(
        ({ name, role, phone, email }) =>
          html`<li class="card">
            <div class="text">
              <strong>${name}</strong>${role !== '' && html`<br /><span class="fine">${role}</span>`}
              ${phone !== '' && html`<br /><a href="tel:${phone.replaceAll(/[^+\d]/g, '')}">${phone}</a>`}
              ${email !== '' && html`<br /><a href="mailto:${encodeURIComponent(email).replaceAll('%40', '@')}">${email}</a>`}
            </div>
          </li>`,
      )}
    </ul>`,
  )
}

/** Those that have not ended. */
function specials({ data: { heading, items } }: BlockOf<'specials'>, { content, now }: PromoPageView): Part {
  const day = today(content.zone, now)
  const present = items.filter(({ endsOn }) => endsOn === '' || endsOn >= day)
  if (present.length === 0) return null
  return section(
    heading,
    html`<ul class="cards">
      ${present.map(
        ({ title, saving, text, endsOn, terms }) =>
          html`<li class="card">
            <div class="text">
              ${cardTitle(heading, title)} ${saving !== '' && html`<p><strong>${saving}</strong></p>`}
              ${text !== '' && html`<p>${text}</p>`}
              <p class="fine">${endsOn !== '' && `Until ${dayText(endsOn)}. `}${terms}</p>
            </div>
          </li>`,
      )}
    </ul>`,
  )
}

/** What a link to the page looks like in a message. */
function socialTags(site: Site, { content, origin, path, pictureUrl }: PromoPageView): Html[] {
  const { title, description, blocks } = content
  const picture = blocks.flatMap(picturesIn)[0]?.path
  const tags: readonly (readonly [string, string | null])[] = [
    ['og:type', 'website'],
    ['og:site_name', site.title],
    ['og:title', title],
    ['og:description', description],
    ['og:url', `${origin}${path}`],
    ['og:image', picture === undefined ? null : `${origin}${pictureUrl(picture)}`],
  ]
  return tags.flatMap(([property, value]) =>
    value === null ? [] : [html`<meta property="${property}" content="${value}" />`],
  )
}
