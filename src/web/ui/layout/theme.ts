import {
  createTheme,
  type CSSVariablesResolver,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'
import { toHex, toLch } from '#contract/appearance/color.ts'

/** Mantine requires ten shades; our components use the tokens, so an approximate ramp is enough. */
function shadesOf(brand: string): MantineColorsTuple {
  const { chroma, hue } = toLch(brand)
  const shade = (lightness: number, share: number) => toHex({ lightness, chroma: chroma * share, hue })
  return [
    shade(0.97, 0.15),
    shade(0.94, 0.25),
    shade(0.88, 0.45),
    shade(0.8, 0.7),
    shade(0.7, 0.9),
    shade(0.6, 1),
    shade(0.52, 1),
    shade(0.46, 1),
    shade(0.39, 0.95),
    shade(0.32, 0.85),
  ]
}

/** Text on the brand color is white or near-black, whichever is readable; Mantine would always use white. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input)
  const isBrand = input.color === undefined || input.color === 'brand'
  if (input.variant !== 'filled' || !isBrand) return colors
  return {
    ...colors,
    background: 'var(--fc-brand-fill)',
    hover: 'var(--fc-brand-fill-hover)',
    color: 'var(--fc-brand-on-fill)',
  }
}

/** The product's sizes, typography and defaults for Mantine components. */
export function forecourtTheme(brand: string) {
  return createTheme({
    primaryColor: 'brand',
    primaryShade: { light: 7, dark: 5 },
    colors: { brand: shadesOf(brand) },
    variantColorResolver,
    fontFamily: "'Inter Variable', system-ui, sans-serif",
    fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, monospace',
    fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
    lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
    spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
    radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '999px' },
    defaultRadius: 'sm',
    shadows: { sm: 'var(--fc-shadow-low)', md: 'var(--fc-shadow)', lg: 'var(--fc-shadow-high)' },
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      Button: { defaultProps: { size: 'sm' } },
      InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
      ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 28 } },
      Tooltip: { defaultProps: { openDelay: 300, multiline: true, maw: 280, color: 'dark' } },
      // The head of a dialog is a <header>, which outside of a section would be a second banner landmark.
      Modal: {
        defaultProps: {
          centered: true,
          radius: 'md',
          padding: 'lg',
          attributes: { header: { role: 'presentation' } },
        },
      },
      Drawer: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
      Menu: { defaultProps: { shadow: 'md', radius: 'md' } },
      // Opened by a click, an arrow or typing: a focus that comes back after saving would cover the form.
      Select: { defaultProps: { comboboxProps: { shadow: 'md' }, openOnFocus: false } },
      // A tag that isn't ended by Enter is taken when the field is left.
      TagsInput: {
        defaultProps: { comboboxProps: { shadow: 'md' }, wrapperProps: { 'data-commits': true } },
      },
    },
  })
}

/** Our tokens under Mantine's names. The server writes the tokens into the page, so nothing is computed twice. */
const VARIABLES = {
  '--mantine-color-body': 'var(--fc-page)',
  '--mantine-color-text': 'var(--fc-ink)',
  '--mantine-color-bright': 'var(--fc-ink)',
  '--mantine-color-dimmed': 'var(--fc-ink-soft)',
  '--mantine-color-placeholder': 'var(--fc-ink-faint)',
  '--mantine-color-anchor': 'var(--fc-brand-text)',
  '--mantine-color-error': 'var(--fc-bad)',
  '--mantine-color-success': 'var(--fc-good)',
  '--mantine-color-default': 'var(--fc-raised)',
  '--mantine-color-default-hover': 'var(--fc-sunken)',
  '--mantine-color-default-color': 'var(--fc-ink)',
  '--mantine-color-default-border': 'var(--fc-line-strong)',
  '--mantine-color-disabled': 'var(--fc-sunken)',
  '--mantine-color-disabled-color': 'var(--fc-ink-faint)',
  '--mantine-color-disabled-border': 'var(--fc-line)',
  '--mantine-color-gray-light-color': 'var(--fc-ink-soft)',
  '--mantine-color-gray-light-hover': 'var(--fc-sunken)',
  '--mantine-primary-color-contrast': 'var(--fc-brand-on-fill)',
  '--mantine-primary-color-filled': 'var(--fc-brand-fill)',
  '--mantine-color-brand-filled': 'var(--fc-brand-fill)',
  '--mantine-color-brand-filled-hover': 'var(--fc-brand-fill-hover)',
  '--mantine-color-brand-light': 'var(--fc-brand-tint)',
  '--mantine-color-brand-light-hover': 'var(--fc-brand-tint-hover)',
  '--mantine-color-brand-light-color': 'var(--fc-brand-text)',
  '--mantine-color-brand-text': 'var(--fc-brand-text)',
  '--mantine-color-brand-outline': 'var(--fc-brand-text)',
}

/**
 * Same for both schemes, because the tokens themselves differ. Set per scheme because Mantine's per-scheme values
 * override `variables`.
 */
export const mantineVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: VARIABLES,
  dark: VARIABLES,
})
