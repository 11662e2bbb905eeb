import { lazy } from 'react'
import { DetailsPage } from './customers/details/DetailsPage.tsx'

const SettingEffect = lazy(async () => ({
  default: (await import('./pricing/rules/SettingEffect.tsx')).SettingEffect,
}))

/** The details of the customer, with what a change does to the totals that buyers see. */
export const DetailsWithEffects = () => <DetailsPage Effect={SettingEffect} />
