/** Body styles and colors of demo vehicles, and the views of each. */
export const DRAWN_BODIES = ['SUV', 'Pickup', 'Sedan', 'Van', 'Coupe'] as const
export const DRAWN_COLORS = {
  White: '#e8ebea',
  Black: '#23282a',
  Gray: '#7d8486',
  Silver: '#b9c0c3',
  Blue: '#2f5f9e',
  Red: '#a8322b',
  Green: '#3c6b4f',
  Bronze: '#8a6a43',
} as const
export const DRAWN_VIEWS = ['side', 'evening', 'wheel', 'back'] as const

type Body = (typeof DRAWN_BODIES)[number]
type View = (typeof DRAWN_VIEWS)[number]

/** Side outlines on a road at y = 460: the body, then the windows. */
const SHAPES: Record<Body, readonly [outline: string, glass: string]> = {
  SUV: [
    'M150 440V350Q154 330 190 322L300 306 356 236Q366 224 384 224H672Q694 224 706 242L742 316 788 330Q806 336 808 356V440Z',
    'M330 306 372 252Q376 246 386 246H480V306ZM500 246H598V306H500ZM618 246H664Q676 246 682 256L706 306H618Z',
  ],
  Pickup: [
    'M130 440V352Q134 332 170 326L284 312 336 240Q346 228 362 228H488Q504 228 508 244L520 318H822Q832 318 832 330V440Z',
    'M316 312 352 258Q356 250 366 250H412V312ZM430 250H480Q488 250 490 258L498 312H430Z',
  ],
  Sedan: [
    'M130 440V366Q136 346 176 340L300 324 384 254Q396 246 414 246H574Q592 246 606 256L692 326 806 342Q830 348 832 372V440Z',
    'M338 324 398 272Q404 266 414 266H484V324ZM502 266H570Q580 266 588 272L652 324H502Z',
  ],
  Van: [
    'M140 440V344Q142 326 164 318L250 296 306 208Q318 190 342 190H800Q824 190 826 214V440Z',
    'M284 296 328 224Q334 214 346 214H424V296ZM446 214H560V296H446ZM582 214H700V296H582Z',
  ],
  Coupe: [
    'M130 440V374Q136 352 180 346L318 332 420 268Q434 260 452 260H544Q564 260 584 270L708 336 808 350Q830 356 832 378V440Z',
    'M366 332 434 286Q442 280 454 280H510V332ZM528 280H542Q556 280 568 288L640 332H528Z',
  ],
}

const CROPS: Record<View, string> = {
  side: '0 0 960 640',
  evening: '0 0 960 640',
  wheel: '120 240 360 240',
  back: '540 180 390 260',
}

/** A generic vehicle as SVG in 3:2 format. The same arguments always give the same image. */
export function drawVehicle(body: Body, color: keyof typeof DRAWN_COLORS, view: View): string {
  const [outline, glass] = SHAPES[body]
  const isEvening = view === 'evening' || view === 'back'
  const [sky, horizon, road] = isEvening
    ? ['#3f4a6b', '#e2a272', '#4c4f55']
    : ['#a9c8dd', '#edf3f5', '#9aa09e']
  const paint = DRAWN_COLORS[color]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="640" viewBox="${CROPS[view]}">`,
    `<defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="${sky}"/><stop offset="1" stop-color="${horizon}"/></linearGradient></defs>`,
    '<rect width="960" height="440" fill="url(#s)"/>',
    `<rect y="440" width="960" height="200" fill="${road}"/>`,
    '<ellipse cx="480" cy="486" rx="390" ry="20" fill="#000" opacity=".28"/>',
    `<path d="${outline}" fill="${paint}"/>`,
    `<path d="M134 400H830V440H134Z" fill="#000" opacity=".18"/>`,
    `<path d="${glass}" fill="${isEvening ? '#20293a' : '#34434c'}"/>`,
    '<path d="M810 366h18v22h-18zM136 366h20v20h-20z" fill="#f4d48a"/>',
    ...[276, 690].map(
      (x) =>
        `<circle cx="${x}" cy="440" r="62" fill="#1b1e1d"/><circle cx="${x}" cy="440" r="36" fill="#b6bdbb"/><circle cx="${x}" cy="440" r="10" fill="#4a504e"/>`,
    ),
    '</svg>\n',
  ].join('\n')
}
