import { type Boot, BOOT_ELEMENT } from '#contract/identity/boot.ts'
import { DEFAULT_BRAND } from '#contract/appearance/tokens.ts'
import { isRecord, parseRecord, readNumber, readText } from '#web/api/read-json.ts'

/** Defaults for the development server, which writes no boot data; times of specification section 9. */
const OWN: Boot = {
  whiteLabel: { logo: null, favicon: null, title: 'Forecourt', footer: '', brand: DEFAULT_BRAND },
  idleSeconds: 1800,
  idleWarningSeconds: 20,
  hasThemeCustomizer: false,
  isSetUp: true,
  hasGoogle: false,
  installId: '',
}

/** The boot data that the server writes into the page. */
export function readBoot(): Boot {
  const written = parseRecord(document.getElementById(BOOT_ELEMENT)?.textContent ?? '')
  if (!written) return OWN
  const label = isRecord(written['whiteLabel']) ? written['whiteLabel'] : {}
  return {
    whiteLabel: {
      logo: readText(label, 'logo') || null,
      favicon: readText(label, 'favicon') || null,
      title: readText(label, 'title') || OWN.whiteLabel.title,
      footer: readText(label, 'footer'),
      brand: readText(label, 'brand') || DEFAULT_BRAND,
    },
    idleSeconds: readNumber(written, 'idleSeconds') || OWN.idleSeconds,
    idleWarningSeconds: readNumber(written, 'idleWarningSeconds') || OWN.idleWarningSeconds,
    hasThemeCustomizer: written['hasThemeCustomizer'] === true,
    isSetUp: written['isSetUp'] !== false,
    hasGoogle: written['hasGoogle'] === true,
    installId: readText(written, 'installId'),
  }
}
