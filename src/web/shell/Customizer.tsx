import { Button, Drawer, Switch } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import {
  COLOR_SCHEMES,
  DEFAULT_LOOK,
  DIRECTIONS,
  HEADER_COLORS,
  LAYOUTS,
} from '#contract/appearance/looks.ts'
import type { Appearance } from '#contract/identity/branding/appearance.ts'
import { changeAppearance, useAppearance } from '#web/ui/layout/appearance.ts'
import { moveToastsToStart } from '#web/ui/feedback/toast.tsx'
import { useAppearanceSaveFailure } from './save-appearance.ts'
import type { PanelProps } from './layout/panels.ts'
import styles from './Customizer.module.css'

const NAMES = {
  light: 'Light',
  dark: 'Dark',
  auto: 'System',
  vertical: 'Side menu',
  horizontal: 'Top menu',
  chrome: 'Subtle',
  page: 'Page',
  brand: 'Brand',
  ink: 'Dark bar',
  ltr: 'Left to right',
  rtl: 'Right to left',
} as const

const SWITCHES = [
  { name: 'isMenuFixed', label: 'Keep menu in view', about: 'If off, it scrolls away with the page.' },
  { name: 'isHeaderFixed', label: 'Keep top bar in view', about: 'If off, it scrolls away with the page.' },
  { name: 'isBoxed', label: 'Boxed page', about: 'Limits the page to 1320 pixels on wide screens.' },
  { name: 'isMenuCollapsed', label: 'Collapse menu', about: 'Shows icons only in the side menu.' },
] as const

/** The theme customizer of specification section 2. Changes apply immediately and are saved automatically. */
export function Customizer({ isOpen, onClose }: PanelProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title="Appearance"
      position="right"
      size={360}
      padding="lg"
      overlayProps={{ backgroundOpacity: 0 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 100, exitDuration: 100 }}
    >
      <Choices />
    </Drawer>
  )
}

function Choices() {
  useEffect(moveToastsToStart, [])
  const look = useAppearance()
  const failed = useAppearanceSaveFailure()
  return (
    <div className={styles.customizer}>
      <p className="fc-soft">Your display settings. They apply on every device you sign in to.</p>
      <div role="alert">
        {failed && (
          <p className={styles.customizerFailed}>
            Not saved for your other devices yet: {failed.failure.message}{' '}
            <button type="button" className="fc-plain-button" onClick={failed.retry}>
              Try again
            </button>
          </p>
        )}
      </div>
      <Tiles look={look} name="scheme" title="Colors" choices={COLOR_SCHEMES} />
      <Tiles
        look={look}
        name="layout"
        title="Layout"
        choices={LAYOUTS}
        note="On screens under 992 pixels wide, the menu is always a drawer."
      />
      <Tiles look={look} name="headerColor" title="Top bar" choices={HEADER_COLORS} />
      <Tiles look={look} name="direction" title="Direction" choices={DIRECTIONS} />
      <fieldset>
        <legend>Page</legend>
        {SWITCHES.map(({ name, label, about }) => (
          <Switch
            key={name}
            label={label}
            description={about}
            checked={look[name]}
            onChange={(event) => changeAppearance({ [name]: event.currentTarget.checked })}
          />
        ))}
      </fieldset>
      <Button variant="default" onClick={() => changeAppearance(DEFAULT_LOOK)}>
        Reset to default
      </Button>
    </div>
  )
}

type Name = 'scheme' | 'layout' | 'headerColor' | 'direction'
type TilesProps<N extends Name> = {
  look: Appearance
  name: N
  title: string
  choices: readonly (Appearance[N] & keyof typeof NAMES)[]
  note?: ReactNode
}

/** A choice between options, each with a small illustration. */
function Tiles<N extends Name>({ look, name, title, choices, note }: TilesProps<N>) {
  return (
    <fieldset>
      <legend>{title}</legend>
      <div className={styles.lookTiles}>
        {choices.map((choice) => (
          <label key={choice} className={styles.lookTile}>
            <input
              type="radio"
              name={name}
              checked={look[name] === choice}
              onChange={() => changeAppearance({ [name]: choice })}
            />
            <span className={styles.tileDrawing} data-choice={choice} aria-hidden="true">
              <i />
              <i />
              <i />
            </span>
            {NAMES[choice]}
          </label>
        ))}
      </div>
      {note !== undefined && <p className="fc-small fc-faint">{note}</p>}
    </fieldset>
  )
}
