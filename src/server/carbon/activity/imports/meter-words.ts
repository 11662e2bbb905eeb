/**
 * Words for meters, and for the points that they measure, as `plainHeading` has them; a regular expression without groups that capture.
 * Some are numbers of their own, such as a MPAN or a CUPS.
 */
export const METERS =
  'meters?|metering points?|meter points?|zahlers?|zahlpunkt\\w*|marktlokations?|messlokations?|messstellen?|zahlerplatz|mtr|devices?|gerate?|malo|melo|compteurs?|points? de livraison|pdl|prm|pce|pod|pdr|ppe|cups|contador(?:es)?|medidor(?:es)?|misuratore|contatore|matricola(?: contatore)?|matare|matar|anlaggnings?|malers?|malepunkts?|licznik|licznika|liczniki|tellers?|mittari|mittarin|service points?|sdp|supply points?|delivery points?|points? of delivery|ean|ean code|gsrn|mpan|mprn|nmi|icp|esi|esiid'
