/** A shop's stock and searches of its seller, with the garments that each must find. */

interface StockGarment {
  readonly tag: Readonly<Record<string, string>>
  readonly attribute?: Readonly<Record<string, string>>
}

const [women, men] = [{ Gender: "Women's" }, { Gender: "Men's" }]

export const stock: Readonly<Record<string, StockGarment>> = {
  burgundyDress: {
    tag: { ...women, 'Item Type': 'Dress', Colour: 'Burgundy', Pattern: 'Plain', Brand: 'Zara' },
    attribute: { Size: 'M', Title: "Robe d'été" },
  },
  floralDress: {
    tag: { ...women, 'Item Type': 'Dress', Colour: 'Blue', Pattern: 'Floral', Brand: 'H&M', 'Fabric Type': 'Linen' },
    attribute: { Size: '38' },
  },
  blackDress: {
    tag: {
      ...women,
      'Item Type': 'Dress',
      Colour: 'Black',
      Pattern: 'Plain',
      Brand: 'Hugo Boss',
      'Fabric Type': 'Lace',
    },
    attribute: { Size: 'S' },
  },
  damenJeans: {
    tag: { ...women, 'Item Type': 'Jeans', Colour: 'Denim Blue', Brand: "Levi's", 'Fabric Type': 'Denim' },
    attribute: { Size: 'W28 L32', SKU: 'ZX-9981' },
  },
  herrenJeans: {
    tag: { ...men, 'Item Type': 'Jeans', Colour: 'Black', Brand: 'Diesel', 'Fabric Type': 'Denim' },
    attribute: { Size: 'W33 L32' },
  },
  shorts: {
    tag: { ...men, 'Item Type': 'Shorts', Colour: 'Khaki', Brand: 'Nike', 'Fabric Type': 'Cotton' },
    attribute: { Size: 'L', Shelf: 'Müller' },
  },
  woolCoat: {
    tag: { ...women, 'Item Type': 'Coat', Colour: 'Camel', Pattern: 'Plain', Brand: 'Max Mara', 'Fabric Type': 'Wool' },
    attribute: { Size: '40', Title: 'Wollmantel' },
  },
  leatherJacket: {
    tag: { ...men, 'Item Type': 'Jacket', Colour: 'Black', Brand: 'Schott', 'Fabric Type': 'Leather' },
    attribute: { Size: 'XL' },
  },
  stripedShirt: {
    tag: { ...men, 'Item Type': 'Shirt', Colour: 'White', Pattern: 'Striped', Brand: 'Ralph Lauren' },
    attribute: { Size: '41' },
  },
  checkedShirt: {
    tag: {
      ...men,
      'Item Type': 'Shirt',
      Colour: 'Red',
      Pattern: 'Checked',
      Brand: 'Carhartt',
      'Fabric Type': 'Flannel',
    },
    attribute: { Size: 'M' },
  },
  greenJumper: {
    tag: { ...women, 'Item Type': 'Jumper', Colour: 'Dark Green', Brand: 'Benetton', 'Fabric Type': 'Wool' },
    attribute: { Size: 'L', Title: 'Strickpullover' },
  },
  greyHoodie: {
    tag: { ...men, 'Item Type': 'Hoodie', Colour: 'Light Grey', Brand: 'Champion' },
    attribute: { Size: 'XL' },
  },
  whiteBlouse: {
    tag: { ...women, 'Item Type': 'Blouse', Colour: 'Off White', Brand: 'Massimo Dutti', 'Fabric Type': 'Silk' },
    attribute: { Size: '36' },
  },
  pinkSkirt: {
    tag: { ...women, 'Item Type': 'Skirt', Colour: 'Hot Pink', Pattern: 'Plain', Brand: 'Mango' },
    attribute: { Size: 'S', Material: 'Polyester' },
  },
  navyBlazer: {
    tag: { ...men, 'Item Type': 'Blazer', Colour: 'Navy', Brand: 'Suitsupply', 'Fabric Type': 'Wool' },
    attribute: { Size: '50' },
  },
  greyTrousers: {
    tag: { ...women, 'Item Type': 'Trousers', Colour: 'Charcoal', Brand: 'Cos' },
    attribute: { Size: '38', SKU: 'AB-120/7' },
  },
  trainers: {
    tag: { ...women, 'Item Type': 'Trainers', Colour: 'White', Brand: 'Adidas' },
    attribute: { Size: 'EU 39' },
  },
  boots: {
    tag: { ...women, 'Item Type': 'Boots', Colour: 'Brown', Brand: 'Dr. Martens', 'Fabric Type': 'Leather' },
    attribute: { Size: 'EU 40' },
  },
  heels: { tag: { ...women, 'Item Type': 'Heels', Colour: 'Red', Brand: 'Pura López' }, attribute: { Size: 'EU 37' } },
  graphicTee: {
    tag: { ...men, 'Item Type': 'T-Shirt', Colour: 'Black', Pattern: 'Graphic', Brand: 'Nirvana' },
    attribute: { Size: 'M', Title: 'Band tee 1994' },
  },
  dottedTop: {
    tag: { ...women, 'Item Type': 'Tank Top', Colour: 'Yellow', Pattern: 'Dotted', Brand: 'Only' },
    attribute: { Size: 'XS' },
  },
  cardigan: {
    tag: { ...women, 'Item Type': 'Cardigan', Colour: 'Lavender', Brand: 'Sézane', 'Fabric Type': 'Knit' },
    attribute: { Size: 'M' },
  },
  bag: {
    tag: { ...women, 'Item Type': 'Bag', Colour: 'Tan', Brand: 'Fossil', 'Fabric Type': 'Leather' },
    attribute: { Shelf: 'R-12' },
  },
  scarf: { tag: { 'Item Type': 'Scarf', Colour: 'Turquoise', Pattern: 'Plain', Brand: 'Codello' } },
  kidsJacket: {
    tag: { Gender: "Boys'", 'Item Type': 'Jacket', Colour: 'Orange', Brand: 'Jako-o' },
    attribute: { Size: '128' },
  },
  sweatpants: { tag: { ...men, 'Item Type': 'Joggers', Colour: 'Black', Brand: 'Puma' }, attribute: { Size: 'L' } },
  jumpsuit: { tag: { ...women, 'Item Type': 'Jumpsuit', Colour: 'Olive', Brand: 'Asos' }, attribute: { Size: '12' } },
  belt: {
    tag: { ...men, 'Item Type': 'Belt', Colour: 'Dark Brown', Brand: 'Tommy Hilfiger', 'Fabric Type': 'Leather' },
  },
}

/** Searches as sellers type them. Each lists all garments that it must find, and no others. */
export const phrases: readonly (readonly [search: string, finds: string])[] = [
  // English
  ['red dress', 'burgundyDress'],
  ['blue floral dress', 'floralDress'],
  ['little black dress', 'blackDress'],
  ["levi's jeans", 'damenJeans'],
  ['zx9981', 'damenJeans'],
  ['mens black jeans', 'herrenJeans'],
  ['camel wool coat', 'woolCoat'],
  ['black leather jacket', 'leatherJacket'],
  ['striped shirt for men', 'stripedShirt'],
  ['plaid shirt', 'checkedShirt'],
  ['green sweater', 'greenJumper'],
  ['gray hoodie XL', 'greyHoodie'],
  ['white silk blouse', 'whiteBlouse'],
  ['pink skirt size S', 'pinkSkirt'],
  ['navy blazer', 'navyBlazer'],
  ['sneakers', 'trainers'],
  ['polka dot top', 'dottedTop'],
  ['band tee', 'graphicTee'],
  ['purple cardigan', 'cardigan'],
  ['sweatpants', 'sweatpants'],
  ['ab1207', 'greyTrousers'],
  ['dr martens', 'boots'],
  ['h and m dress', 'floralDress'],
  ['leather shoes', 'boots'],
  ['dark red dress', 'burgundyDress'],
  ['ladies jeans', 'damenJeans'],
  ['kids jacket', 'kidsJacket'],
  // German
  ['Rotes Kleid', 'burgundyDress'],
  ['Jeanshose', 'damenJeans herrenJeans'],
  ['Damenjeans', 'damenJeans'],
  ['Herrenhemd', 'stripedShirt checkedShirt'],
  ['kurze Hose', 'shorts'],
  ['Kleid Größe 38', 'floralDress'],
  ['kleid groesse m', 'burgundyDress'],
  ['mueller', 'shorts'],
  ['Müller', 'shorts'],
  ['Lederjacke', 'leatherJacket'],
  ['Wollmantel', 'woolCoat'],
  ['gestreiftes Hemd', 'stripedShirt'],
  ['grüner Pullover', 'greenJumper'],
  ['gruener Pulli', 'greenJumper'],
  ['Kapuzenpullover grau', 'greyHoodie'],
  ['weiße Bluse', 'whiteBlouse'],
  ['Turnschuhe', 'trainers'],
  ['Jungenjacke', 'kidsJacket'],
  ['Ledergürtel', 'belt'],
  ['Blumenkleid', 'floralDress'],
  ['rosa Rock', 'pinkSkirt'],
  // French
  ['robe rouge', 'burgundyDress'],
  ["robe d'ete", 'burgundyDress'],
  ['été', 'burgundyDress'],
  ['jean homme noir', 'herrenJeans'],
  ['manteau en laine', 'woolCoat'],
  ['blouson en cuir', 'leatherJacket'],
  ['chemise à carreaux', 'checkedShirt'],
  ['pull vert', 'greenJumper'],
  ['jupe rose', 'pinkSkirt'],
  ['baskets blanches', 'trainers'],
  ['sac en cuir', 'bag'],
  ['veste enfant', 'kidsJacket'],
  // Spanish
  ['vestido rojo', 'burgundyDress'],
  ['vestido de flores', 'floralDress'],
  ['chaqueta de cuero negra', 'leatherJacket'],
  ['camisa de cuadros', 'checkedShirt'],
  ['pantalones cortos', 'shorts'],
  ['zapatillas blancas', 'trainers'],
  ['bufanda turquesa', 'scarf'],
  // Italian
  ['vestito rosso', 'burgundyDress'],
  ['giacca di pelle', 'leatherJacket'],
  ['maglione verde', 'greenJumper'],
  ['camicia a righe', 'stripedShirt'],
  ['gonna rosa', 'pinkSkirt'],
  ['stivali marroni', 'boots'],
  ['cappotto di lana', 'woolCoat'],
]

/** Searches with one typing error in each word that has one. */
export const typos: readonly (readonly [search: string, finds: string])[] = [
  ['drss', 'burgundyDress floralDress blackDress'],
  ['sommerklied', 'burgundyDress floralDress blackDress'],
  ['gestriefte', 'stripedShirt'],
  ['Guertle', 'belt'],
  ['dreess', 'burgundyDress floralDress blackDress'],
  ['derss', 'burgundyDress floralDress blackDress'],
  ['jaket', 'leatherJacket kidsJacket'],
  ['jakcet', 'leatherJacket kidsJacket'],
  ['jackett leather', 'leatherJacket'],
  ['jeens', 'damenJeans herrenJeans'],
  ['jaens', 'damenJeans herrenJeans'],
  ['sweter', 'greenJumper'],
  ['sweatre green', 'greenJumper'],
  ['hodie', 'greyHoodie'],
  ['hoodei', 'greyHoodie'],
  ['blouze', 'whiteBlouse'],
  ['bloues', 'whiteBlouse'],
  ['sikrt', 'pinkSkirt'],
  ['pink skrit', 'pinkSkirt'],
  ['blaser', 'navyBlazer'],
  ['trouesrs', 'greyTrousers'],
  ['trowsers', 'greyTrousers'],
  ['sneekers', 'trainers'],
  ['snaekers', 'trainers'],
  ['cardigen', 'cardigan'],
  ['caridgan', 'cardigan'],
  ['bennetton', 'greenJumper'],
  ['carhart', 'checkedShirt'],
  ['adiddas', 'trainers'],
  ['adidsa', 'trainers'],
  ['diesle', 'herrenJeans'],
  ['champoin hoodie', 'greyHoodie'],
  ['burgandy dress', 'burgundyDress'],
  ['strped shirt', 'stripedShirt'],
  ['leahter jacket', 'leatherJacket'],
  ['Klied', 'burgundyDress floralDress blackDress'],
  ['Mantl', 'woolCoat'],
  ['Lederjake', 'leatherJacket'],
  ['Pulover', 'greenJumper'],
  ['chemsie', 'stripedShirt checkedShirt'],
  ['mantau', 'woolCoat'],
  ['vestdio', 'burgundyDress floralDress blackDress'],
  ['camciia', 'stripedShirt checkedShirt'],
]
