import { expect, it } from 'vitest'
import { parseSize } from '../../../src/garments/sizes/parse-size.ts'
import type { SizeKind } from '../../../src/garments/sizes/size-rules.ts'
import type { SizeWearer } from '../../../src/garments/sizes/size-words.ts'

/** Size texts as sellers write them: kind, wearer and text, and the system and value that they mean. */
const texts = `
clothing|women|Gr. 38|DE|38
clothing|women|Größe 40/42|DE|40/42
clothing|women|Taille 36|FR|36
clothing|women|T.38|FR|38
clothing|women|Tg. 44|IT|44
clothing|women|taglia M|letter|M
clothing|women|talla L|letter|L
clothing|women|UK 10 / EU 38|UK|10
clothing|women|EU 38 / UK 10|EU|38
clothing|women|US 6|US|6
clothing|women|size 14 UK|UK|14
clothing|women|XS/34|letter|XS
clothing|women|M (38/40)|letter|M
clothing|men|XXL|letter|2XL
clothing|men|2XL|letter|2XL
clothing|men|3X-Large|letter|3XL
clothing|men|Medium|letter|M
clothing|men|sz L|letter|L
clothing|men|Large Tall|letter|L
clothing|men|42R|UK|42
clothing|men|40 Short|UK|40
clothing|men|US 40R|US|40
clothing|men|IT 50|IT|50
clothing|men|Gr. 52|DE|52
clothing|men|48 IT|IT|48
clothing|men|Kragenweite 41|collar_cm|41
clothing|men|15.5 collar|collar_in|15.5
clothing|men|neck 16"|collar_in|16
clothing|men|One Size|one_size|One Size
clothing|women|taglia unica|one_size|One Size
clothing|women|Einheitsgröße|one_size|One Size
clothing|women|taille unique|one_size|One Size
clothing|women|TU|one_size|One Size
clothing|women|O/S|one_size|One Size
clothing|women|free size|one_size|One Size
clothing|women|see photos||
clothing|women|siehe Bilder||
clothing|women|voir photos||
clothing|women|keine Angabe||
clothing|women|n/a||
clothing|women|unbekannt||
clothing|women|vedi foto||
clothing|women|S, M, L||
clothing|women|AU 12|AU|12
clothing|women|18W|US|18
clothing|women|2X|letter|2X
clothing|women|Petite S|letter|S
clothing|women|S petite|letter|S
clothing|women|maternity M|letter|M
trousers|men|W32 L34|waist_length|W32 L34
trousers|men|32/34|waist_length|W32 L34
trousers|men|W34/L30|waist_length|W34 L30
trousers|men|34x32|waist_length|W34 L32
trousers|men|36W 30L|waist_length|W36 L30
trousers|men|waist 32 leg 30|waist_length|W32 L30
trousers|men|W33|waist_length|W33
trousers|women|W27|waist_length|W27
trousers|women|27/32|waist_length|W27 L32
trousers|men|32"|waist_length|W32
trousers|men|Jeans Gr. 32/32|waist_length|W32 L32
trousers|women|Gr. 40|DE|40
trousers|women|taille 40|FR|40
clothing|kids|116|height_cm|116
clothing|kids|Gr. 128|height_cm|128
clothing|kids|122/128|height_cm|122-128
clothing|kids|7-8 years|age_years|7-8 years
clothing|kids|6 ans|age_years|6 years
clothing|kids|8 anni|age_years|8 years
clothing|kids|10 años|age_years|10 years
clothing|kids|5 Jahre|age_years|5 years
clothing|kids|age 4-5|age_years|4-5 years
clothing|kids|4T|US|4T
clothing|baby|6-9 months|age_months|6-9 months
clothing|baby|3 mois|age_months|3 months
clothing|baby|12M|age_months|12 months
clothing|baby|18 mesi|age_months|18 months
clothing|baby|74|height_cm|74
clothing|baby|newborn|age_months|Newborn
clothing|baby|0-3 Monate|age_months|0-3 months
clothing|baby|62/68|height_cm|62-68
shoes|men|EU 43|shoe_eu|43
shoes|men|43|shoe_eu|43
shoes|men|UK 9|shoe_uk|9
shoes|men|US 10.5|shoe_us|10.5
shoes|women|38,5|shoe_eu|38.5
shoes|women|Gr. 39|shoe_eu|39
shoes|women|pointure 37|shoe_eu|37
shoes|women|US 8 / EU 39|shoe_us|8
shoes|women|talla 40|shoe_eu|40
shoes|women|numero 38|shoe_eu|38
shoes|kids|UK 10 kids|shoe_uk|10C
shoes|men|42 2/3|shoe_eu|42 2/3
shoes|men|UK 8½|shoe_uk|8.5
bra|women|75B|bra|75B
bra|women|34DD|bra|34DD
bra|women|80 C|bra|80C
hat|men|58 cm|none|58 cm
belt|men|95 cm|none|95 cm
clothing|women|Str. 40|EU|40
clothing|women|fits like a 12|none|12
clothing|women|38-40|EU|38/40
clothing|women|M/L|letter|M/L
clothing|men|Größe L (50/52)|letter|L
clothing|women|UK14|UK|14
clothing|women|sz 8 US|US|8
clothing|women|Damen Gr. M|letter|M
clothing|women|10 (UK)|UK|10
clothing|women|Damengröße 40|DE|40
clothing|women|ital. Gr. 42|IT|42
clothing|women|UK10EU38|UK|10
clothing|women|Zara M|letter|M
clothing|women|Unisex-L|letter|L
clothing|women|Tg.S|letter|S
clothing|women|Asian XL|letter|XL
clothing|women|L/G/G|letter|L
clothing|women|N 40|DE|40
clothing|women|Gr. 1|none|1
clothing|women|S M L||
clothing|women|36 38 40||
clothing|women|8 - 16||
clothing|women|7AR||
clothing|men|US 3XL|letter|3XL
clothing|men|2X-L|letter|2XL
clothing|men|4XLB|letter|4XL
clothing|men|Blazer 42R|UK|42
clothing|men|Collar: 16.5|collar_in|16.5
clothing|men|15.5 x 33|collar_in|15.5
trousers|men|32" x 34"|waist_length|W32 L34
trousers|men|32*34|waist_length|W32 L34
trousers|men|32R/34|waist_length|W32 L34
trousers|men|Levi's 501 32/34|waist_length|W32 L34
trousers|women|10/30|none|10
trousers|women|38/32|EU|38
clothing|kids|UK 6-7 years|age_years|6-7 years
clothing|kids|3T-4T|US|3T
clothing|baby|UK 3-6 months|age_months|3-6 months
clothing|baby|US 6M|age_months|6 months
clothing|baby|0-6 months|age_months|0-6 months
clothing|baby|0/3|age_months|0-3 months
shoes|women|W8|shoe_us|8
shoes|men|42 / 26.5 cm|shoe_eu|42
shoes|kids|UK 9F|shoe_uk|9
shoes|kids|28/10|shoe_eu|28
shoes|women|N. 38|shoe_eu|38
shoes|women|Schuhgröße 40|shoe_eu|40
shoes|women|38-39-40||
bra|women|EU75C|bra|75C
bra|women|IT 3B|bra|3B
bra|women|AU 12C|bra|12C
bra|women|38 C-D|bra|38C/D
hat|men|Gr. 58|none|58
bag|women|L 30 cm||`
  .trim()
  .split('\n')
  .map((line) => line.split('|'))

it.each(texts)('a size of %s for %s, “%s”, is %s %s', (kind, wearer, text = '', system = '', value = '') => {
  const size = parseSize(text, { kind: kind as SizeKind, wearer: wearer as SizeWearer })
  expect([size?.system ?? '', size?.value ?? '']).toEqual([system, value])
})
