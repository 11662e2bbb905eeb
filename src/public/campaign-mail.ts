import { pictureIn } from '#contract/files/picture-widths.ts'
import type { SiteVehicle } from '#contract/marketing/site/site.ts'
import { html, type Html, type Part, prose } from './html.ts'
import { amountText } from './money.ts'
import { conditionText, mileageText } from './vehicle-card.ts'

/** What the slots of the template are filled with. Links are whole addresses. */
export type CampaignMail = Readonly<{
  company: string
  brand: string
  /** Where its pictures are; blank in a preview, which the product itself shows. */
  origin: string
  headline: string
  text: string
  vehicles: readonly SiteVehicle[]
  linkOf: (vehicleId: string) => string
  button: Readonly<{ label: string; href: string }> | null
  /** The texts beside prices, and that of the campaign. */
  disclaimers: readonly string[]
  lot: Readonly<{ name: string; address: string }>
  /** Why the reader gets it. */
  why: string
  unsubscribe: string
}>

const FONT = 'font-family:Arial,Helvetica,sans-serif'
const SMALL = `${FONT};font-size:12px;line-height:18px;color:#5f6368`

/** The HTML of a campaign's email: tables and inline styles, as email programs need them. It loads nothing but photos of vehicles. */
export function campaignMailHtml(mail: CampaignMail): string {
  const { company, brand, headline, text, vehicles, button, disclaimers, lot, why, unsubscribe } = mail
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${headline === '' ? company : headline}</title>
      </head>
      <body style="margin:0;padding:0;background:#f3f4f5">
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f4f5">
          <tr>
            <td align="center" style="padding:24px 12px">
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                style="max-width:600px;background:#ffffff"
              >
                ${row(html`<div style="${FONT};font-size:14px;font-weight:bold;color:${brand}">${company}</div>`, '24px 24px 0')}
                ${
                  headline !== '' &&
                  row(
                    html`<h1 style="margin:0;${FONT};font-size:24px;line-height:30px;color:#1a1c1e">
                      ${headline}
                    </h1>`,
                    '12px 24px 0',
                  )
                }
                ${text !== '' && row(html`<div style="${FONT};font-size:15px;line-height:22px;color:#1a1c1e">${prose(text)}</div>`, '4px 24px 8px')}
                ${vehicles.map((vehicle) => row(vehicleRow(vehicle, mail), '8px 24px'))}
                ${
                  button !== null &&
                  row(
                    html`<a
                      href="${button.href}"
                      style="display:inline-block;padding:12px 20px;background:${brand};color:#ffffff;text-decoration:none;${FONT};font-size:15px;font-weight:bold;border-radius:6px"
                      >${button.label}</a
                    >`,
                    '16px 24px 24px',
                  )
                }
                ${
                  disclaimers.length > 0 &&
                  row(html`<div style="${SMALL}">${disclaimers.map(prose)}</div>`, '0 24px 16px')
                }
                ${row(
                  html`<div style="${SMALL};border-top:1px solid #e3e5e8;padding-top:16px">
                    ${why}<br />
                    ${lot.name}, ${lot.address}<br />
                    <a href="${unsubscribe}" style="color:#5f6368">Unsubscribe or change what you get</a>
                  </div>`,
                  '0 24px 24px',
                )}
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html> `.text
}

const row = (content: Part, padding: string): Html =>
  html`<tr>
    <td style="padding:${padding}">${content}</td>
  </tr>`

function vehicleRow(vehicle: SiteVehicle, { linkOf, origin }: Pick<CampaignMail, 'linkOf' | 'origin'>): Html {
  const { listing, picture } = vehicle
  const { price, quote } = listing
  return html`<table
    role="presentation"
    width="100%"
    cellpadding="0"
    cellspacing="0"
    style="border:1px solid #e3e5e8;border-radius:6px"
  >
    <tr>
      ${
        picture !== null &&
        html`<td width="160" valign="top" style="padding:12px 0 12px 12px">
          <a href="${linkOf(listing.id)}"
            ><img
              src="${pictureAddress(pictureIn(picture.url, 320), origin)}"
              width="148"
              alt="${picture.alt}"
              style="display:block;border:0;width:148px"
          /></a>
        </td>`
      }
      <td valign="top" style="padding:12px;${FONT};font-size:14px;line-height:20px;color:#1a1c1e">
        <a href="${linkOf(listing.id)}" style="color:#1a1c1e;font-weight:bold">${listing.title}</a><br />
        <span style="color:#5f6368">${factsOf(vehicle)}</span><br />
        ${
          price !== null &&
          html`<strong style="font-size:18px;line-height:26px"
              >${amountText(price.cents, price.currency)}</strong
            >
            <span class="fine" style="color:#5f6368">Total price</span>`
        }
        ${quote !== null && quote.sentence !== null && html`<br /><span class="fine" style="font-size:12px;color:#5f6368">${quote.sentence}</span>`}
      </td>
    </tr>
  </table>`
}

const pictureAddress = (url: string, origin: string): string =>
  origin === '' ? url : new URL(url, origin).href

const factsOf = (vehicle: SiteVehicle): string =>
  [conditionText(vehicle), mileageText(vehicle), vehicle.listing.stock]
    .filter((fact) => fact !== null && fact !== '')
    .join(' · ')

/** The same as plain text. */
export function campaignMailText(mail: CampaignMail): string {
  const { headline, text, vehicles, button, disclaimers, lot, why, unsubscribe, linkOf } = mail
  const parts = [
    headline,
    text,
    ...vehicles.map((vehicle) => {
      const { title, price, quote, id } = vehicle.listing
      const total = price === null ? null : `Total price: ${amountText(price.cents, price.currency)}`
      return [title, factsOf(vehicle), total, quote?.sentence, linkOf(id)]
        .filter((line) => line != null)
        .join('\n')
    }),
    button === null ? '' : `${button.label}:\n${button.href}`,
    ...disclaimers,
    `--\n${why}\n${lot.name}, ${lot.address}\nUnsubscribe or change what you get:\n${unsubscribe}`,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}
