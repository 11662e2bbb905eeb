import { lazy } from 'react'
import { LotsPage } from './customers/lots/LotsPage.tsx'
import type { RecordDrawerProps } from './ui/record/RecordDrawer.tsx'

const SettingEffect = lazy(async () => ({
  default: (await import('./pricing/rules/SettingEffect.tsx')).SettingEffect,
}))
/** Loaded when a lot is opened: saves 30 kB for the list. */
const LotDrawer = lazy(async () => ({
  default: (await import('./customers/lots/LotDrawer.tsx')).LotDrawer,
}))

/** The lots, with what a change does to the totals that buyers see. */
export const LotsWithEffects = () => <LotsPage Drawer={LotWithEffects} />

function LotWithEffects(props: RecordDrawerProps) {
  return <LotDrawer {...props} Effect={SettingEffect} />
}
