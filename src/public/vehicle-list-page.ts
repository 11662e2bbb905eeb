import type { FacetValue, SearchResult, Site } from '#contract/marketing/site/site.ts'
import {
  type Facet,
  FACET_NAMES,
  FACETS,
  isNarrowed,
  searchPath,
  SORTS,
  type VehicleSearch,
  withoutValue,
} from '#contract/marketing/site/vehicle-search.ts'
import { flag, html, type Html } from './html.ts'
import type { Page } from './layout.ts'
import { counted, countText } from './money.ts'
import { vehicleCard } from './vehicle-card.ts'

/** Photos above the fold, which must not be loaded lazily. */
const EAGER = 3

/** The list of vehicles with its filter. The filter is a form, so it works without a script and every result has an address. */
export function vehicleListPage(site: Site, result: SearchResult): Page {
  const { search, vehicles, total } = result
  const heading = isNarrowed(search)
    ? counted(total, ['matching vehicle', 'matching vehicles'])
    : 'Vehicles for sale'
  return {
    title: search.page > 1 ? `Vehicles for sale, page ${search.page}` : 'Vehicles for sale',
    description: `${counted(total, ['vehicle', 'vehicles'])} for sale at ${site.title}.`,
    canonical: searchPath(search),
    // Filtered lists are endless; search engines follow the vehicles.
    isUnlisted: isNarrowed(search),
    body: html`<div class="shop">
      ${filterForm(result)}
      <section class="results" aria-labelledby="results">
        <h1 id="results">${heading}</h1>
        ${chosenChips(result)}
        ${
          vehicles.length === 0
            ? emptyList(search)
            : html`<ul class="cards">
                ${vehicles.map((vehicle, at) => vehicleCard(vehicle, { isEager: at < EAGER }))}
              </ul>`
        }
        ${pageLinks(result)}
      </section>
    </div>`,
  }
}

function filterForm({ search, facets, total }: SearchResult): Html {
  return html`<form class="filter" action="/" method="get" role="search" aria-label="Vehicles">
    <label class="search"><span>Search</span>
      <input type="search" name="q" value="${search.text}" placeholder="Make, model, stock no." /></label>
    <details${flag('open', isNarrowed(search))} class="more">
      <summary>Filter</summary>
      ${FACET_NAMES.map((facet) => facetGroup(facet, facets[facet], search.chosen[facet]))}
      <label class="amount"><span>Price up to</span>
        <input type="text" name="maxPrice" inputmode="numeric" value="${search.maxPrice ?? ''}" placeholder="No limit" /></label>
    </details>
    <label class="sort"><span>Sort by</span>
      <select name="sort">${Object.entries(SORTS).map(
        ([value, label]) =>
          html`<option value="${value}" ${flag('selected', value === search.sort)}>${label}</option>`,
      )}</select></label>
    <button class="button">Show vehicles</button>
    <p class="fine" aria-live="polite">${counted(total, ['vehicle', 'vehicles'])}</p>
  </form>`
}

function facetGroup(facet: Facet, values: readonly FacetValue[], chosen: readonly string[]): Html | null {
  if (values.length === 0) return null
  return html`<fieldset>
    <legend>${FACETS[facet]}</legend>
    ${values.map(
      ({ value, label, count }) =>
        html`<label class="choice">
          <input
            type="checkbox"
            name="${facet}"
            value="${value}"
            ${flag('checked', chosen.includes(value))}
          />
          <span>${label}</span> <span class="count">${count}</span></label
        >`,
    )}
  </fieldset>`
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
  if (search.maxPrice !== null) {
    chips.push(
      chip(`Up to ${countText(search.maxPrice)}`, searchPath({ ...search, maxPrice: null, page: 1 })),
    )
  }
  return html`<ul class="chips" aria-label="Filters">
    ${chips}
    <li><a href="/">Remove all</a></li>
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
    return html`<p class="empty">
      There are fewer pages. <a href="${searchPath({ ...search, page: 1 })}">Go to the first page</a>
    </p>`
  }
  return isNarrowed(search)
    ? html`<p class="empty">No vehicle matches. <a href="/">See all vehicles</a></p>`
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
