import type { FacetValue, SearchResult, Site } from '#contract/marketing/site/site.ts'
import {
  type Facet,
  FACET_NAMES,
  FACETS,
  isNarrowed,
  isSort,
  LIMIT_NAMES,
  type Limit,
  LIMITS,
  PAGE_SIZE,
  ALL_VEHICLES,
  searchPath,
  SORTS,
  type VehicleSearch,
  withoutLimit,
  withoutValue,
} from '#contract/marketing/site/vehicle-search.ts'
import { flag, html, type Html } from './html.ts'
import type { Page } from './layout.ts'
import { counted, countText } from './money.ts'
import { smallPrint, vehicleCard } from './vehicle-card.ts'

/** Photos above the fold, which must not be loaded lazily. */
const EAGER = 3
/** Values of a facet that are shown at once; the rarer ones open below. */
const AT_ONCE = 8
/** Facets that are open before anything was chosen. */
const OPEN: ReadonlySet<Facet> = new Set(['condition', 'make', 'body'])
/** Where the filter is. On a phone, its address opens it as a page of its own. */
const FILTER_ID = 'filter'

/** The list of vehicles with its filter. The filter is a form, so it works without a script and every result has an address. */
export function vehicleListPage(site: Site, result: SearchResult, { hasHome }: { hasHome: boolean }): Page {
  const { search, vehicles, total } = result
  const path = searchPath(search)
  const heading = isNarrowed(search)
    ? counted(total, ['matching vehicle', 'matching vehicles'])
    : 'Vehicles for sale'
  return {
    title: search.page > 1 ? `Vehicles for sale, page ${search.page}` : 'Vehicles for sale',
    description: `${counted(total, ['vehicle', 'vehicles'])} for sale at ${site.title}.`,
    canonical: path === ALL_VEHICLES && !hasHome ? '/' : path,
    // Filtered lists are endless; search engines follow the vehicles.
    isUnlisted: isNarrowed(search),
    body: html`<div class="shop">
      ${filterForm(result)}
      <section class="results" id="list" aria-labelledby="results">
        <div class="list-head">
          <div>
            <h1 id="results">${heading}</h1>
            ${shownRange(result)}
          </div>
          ${total > 1 && sortLinks(search)}
        </div>
        ${chosenChips(result)} ${notes(result)}
        ${
          vehicles.length === 0
            ? emptyList(search)
            : html`<ul class="cards">
                ${vehicles.map((vehicle, at) => vehicleCard(vehicle, { isEager: at < EAGER, isFirst: at === 0 }))}
              </ul>`
        }
        ${pageLinks(result)} ${smallPrint(result.disclaimers)}
      </section>
    </div>`,
  }
}

/** Which of the vehicles are on this page. */
function shownRange({ search: { page }, vehicles, total }: SearchResult): Html | null {
  if (vehicles.length === 0) return null
  const first = (page - 1) * PAGE_SIZE + 1
  const last = first + vehicles.length - 1
  return html`<p class="count">
    ${
      total === vehicles.length
        ? counted(total, ['vehicle', 'vehicles'])
        : `${countText(first)} to ${countText(last)} of ${counted(total, ['vehicle', 'vehicles'])}`
    }
  </p>`
}

/** The orders as links, so that one press is enough without a script. */
function sortLinks(search: VehicleSearch): Html {
  return html`<details class="sort">
    <summary>
      <span>Sort by: <strong>${SORTS[search.sort]}</strong></span>
    </summary>
    <ul>
      ${Object.entries(SORTS).map(([name, label]) => {
        const sort = isSort(name) ? name : 'newest'
        return html`<li>
          <a
            href="${searchPath({ ...search, sort, page: 1 })}"
            ${sort === search.sort && html` aria-current="true"`}
            >${label}</a
          >
        </li>`
      })}
    </ul>
  </details>`
}

function filterForm({ search, facets }: SearchResult): Html {
  const chosen = FACET_NAMES.reduce((sum, facet) => sum + search.chosen[facet].length, 0)
  const filters = chosen + LIMIT_NAMES.filter((name) => search.limits[name] !== null).length
  return html`<form class="filter" action="/" method="get" role="search" aria-label="Vehicles">
    ${search.sort !== 'newest' && html`<input type="hidden" name="sort" value="${search.sort}" />`}
    <div class="find">
      <label class="search"
        ><span>Search</span>
        <input type="search" name="q" value="${search.text}" placeholder="Make, model, stock no."
      /></label>
      <button class="button quiet go">Search</button>
    </div>
    <a class="button quiet open-filter" href="#${FILTER_ID}"
      >Filter${filters > 0 && html` <span class="badge">${filters}</span>`}</a
    >
    <div class="facets" id="${FILTER_ID}">
      <p class="facets-head"><strong>Filter</strong> <a href="#list">Close</a></p>
      ${FACET_NAMES.map((facet) => facetGroup(facet, facets[facet], search.chosen[facet]))}
      ${LIMIT_NAMES.map((name) => limitField(search, name))}
      <p class="facets-end">
        <button class="button">Show vehicles</button>
        ${isNarrowed(search) && html`<a href="${ALL_VEHICLES}">Remove all</a>`}
      </p>
    </div>
  </form>`
}

/** What was written and couldn't be read stays in its field. */
function limitField({ limits, unread }: VehicleSearch, name: Limit): Html {
  return html`<label class="amount"
    ><span>${LIMITS[name].label}</span>
    <input
      type="text"
      name="${name}"
      inputmode="numeric"
      value="${unread[name] ?? limits[name] ?? ''}"
      placeholder="No limit"
      ${unread[name] !== undefined && html`aria-invalid="true"`}
  /></label>`
}

/** What wasn't understood, or was searched for instead. */
function notes({ search, isClose }: SearchResult): Html | null {
  const sentences = [
    ...LIMIT_NAMES.flatMap((name) => {
      const written = search.unread[name]
      return written === undefined
        ? []
        : [
            `“${written}” isn’t a number, so “${LIMITS[name].label}” was left out. Write it like ${EXAMPLES[name]}.`,
          ]
    }),
    ...(isClose ? [`Nothing matches “${search.text}” exactly. These are spelled like it.`] : []),
  ]
  return sentences.length === 0 ? null : html`<p role="status">${sentences.join(' ')}</p>`
}

const EXAMPLES: Readonly<Record<Limit, string>> = {
  minPrice: '15000',
  maxPrice: '25000',
  minYear: '2020',
  maxYear: '2024',
  maxMileage: '50000',
}

/** "Price up to 25,000", "Year from 2020". */
const limitText = (name: Limit, limit: number): string =>
  `${LIMITS[name].label} ${name.endsWith('Year') ? limit : countText(limit)}`

function facetGroup(facet: Facet, values: readonly FacetValue[], chosen: readonly string[]): Html | null {
  if (values.length === 0) return null
  const isChosen = ({ value }: FacetValue) => chosen.includes(value)
  const first = values.filter((one, at) => at < AT_ONCE || isChosen(one))
  const more = values.filter((one) => !first.includes(one))
  const choice = (one: FacetValue) =>
    html`<label class="choice">
      <input type="checkbox" name="${facet}" value="${one.value}" ${flag('checked', isChosen(one))} />
      <span>${one.label}</span> <span class="count">${one.count}</span></label
    >`
  return html`<details class="facet" ${flag('open', chosen.length > 0 || OPEN.has(facet))}>
    <summary>${FACETS[facet]}</summary>
    <fieldset>
      <legend class="hidden">${FACETS[facet]}</legend>
      ${first.map(choice)}
      ${
        more.length > 0 &&
        html`<details class="more">
          <summary>${more.length} more<span class="hidden">: ${FACETS[facet]}</span></summary>
          ${more.map(choice)}
        </details>`
      }
    </fieldset>
  </details>`
}

/** The chosen values, each a link that removes it. */
function chosenChips({ search, facets }: SearchResult): Html | null {
  if (!isNarrowed(search)) return null
  const chips = FACET_NAMES.flatMap((facet) =>
    search.chosen[facet].map((value) => {
      const label = facets[facet].find((one) => one.value === value)?.label ?? value
      return chip(label, searchPath(withoutValue(search, facet, value)))
    }),
  )
  if (search.text !== '')
    chips.unshift(chip(`“${search.text}”`, searchPath({ ...search, text: '', page: 1 })))
  for (const name of LIMIT_NAMES) {
    const limit = search.limits[name]
    if (limit !== null) chips.push(chip(limitText(name, limit), searchPath(withoutLimit(search, name))))
  }
  return html`<ul class="chips" aria-label="Filters">
    ${chips}
    <li><a href="${ALL_VEHICLES}">Remove all</a></li>
  </ul>`
}

function chip(label: string, href: string): Html {
  return html`<li>
    <a class="chip" href="${href}"
      ><span class="hidden">Remove filter: </span>${label} <span aria-hidden="true">×</span></a
    >
  </li>`
}

function emptyList(search: VehicleSearch): Html {
  if (search.page > 1) {
    return html`<div class="empty">
      <p>There are fewer pages.</p>
      <p><a class="button" href="${searchPath({ ...search, page: 1 })}">Go to the first page</a></p>
    </div>`
  }
  return isNarrowed(search)
    ? html`<div class="empty">
        <p>No vehicle matches. Remove a filter, or search for something else.</p>
        <p><a class="button" href="${ALL_VEHICLES}">See all vehicles</a></p>
      </div>`
    : html`<p class="empty">There are no vehicles for sale right now. Please come back soon.</p>`
}

function pageLinks({ search, pages }: SearchResult): Html | null {
  if (pages <= 1) return null
  const { page } = search
  const link = (to: number, label: string, rel: string) =>
    html`<a class="button quiet" rel="${rel}" href="${searchPath({ ...search, page: to })}">${label}</a>`
  return html`<nav class="pages" aria-label="Pages">
    ${page > 1 && link(page - 1, 'Previous', 'prev')}
    <span>Page ${page} of ${pages}</span>
    ${page < pages && link(page + 1, 'Next', 'next')}
  </nav>`
}
