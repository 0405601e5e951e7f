"""Heads of the networks and their classes, as in the labels.csv files."""

TYPES = [
    'T-Shirt', 'Long-Sleeve T-Shirt', 'Tank Top', 'Polo Shirt', 'Bodysuit', 'Shirt', 'Blouse', 'Jumper', 'Cardigan',
    'Sweatshirt', 'Hoodie', 'Jacket', 'Coat', 'Blazer', 'Waistcoat', 'Dress', 'Jumpsuit', 'Trousers', 'Jeans', 'Joggers',
    'Leggings', 'Shorts', 'Skirt', 'Hat', 'Shoes', 'Trainers', 'Boots', 'Sandals', 'Heels', 'Slippers', 'Bag', 'Belt', 'Scarf', 'Set']
NO_GARMENT = ['Jewellery', 'Sunglasses', 'Wig', 'Wallet']  # types that count as no garment
PATTERNS = [
    'Plain', 'Graphic', 'Printed', 'Striped', 'Floral', 'Checked', 'Colour Block', 'Knit', 'Dotted', 'Animal', 'Camouflage']
CLOSURES = [
    'None', 'Buttons', 'Fly', 'Zip', 'Elastic', 'Placket', 'Slip-On', 'Drawstring', 'Buckle', 'Snap', 'Lace', 'Half Zip',
    'Open']
SLEEVES = ['None', 'Short', 'Three-Quarter', 'Long']
COLOURS = [
    'Black', 'White', 'Grey', 'Navy', 'Blue', 'Turquoise', 'Green', 'Yellow', 'Orange', 'Red', 'Pink', 'Purple', 'Brown',
    'Beige', 'Multi']
PRESENCE = ['None', 'One', 'Several']
SHOWN = ['Flat', 'Hanging', 'Folded', 'Cut', 'Worn', 'Back']
FABRICS = [
    'Jersey', 'Sweatshirt Fleece', 'Rib Knit', 'Knit', 'Cable Knit', 'Denim', 'Woven', 'Linen', 'Chiffon', 'Satin', 'Lace',
    'Leather', 'Suede', 'Fleece', 'Quilted', 'Technical', 'Wool', 'Corduroy', 'Velvet', 'Canvas', 'Mesh', 'Rubber', 'Straw']
FITS = [
    'Slim', 'Regular', 'Relaxed', 'Oversized', 'Skinny', 'Straight', 'Tapered', 'Wide Leg', 'Flared', 'Pencil', 'A-Line',
    'Full', 'Bodycon', 'Shift', 'Fit & Flare']
NECKLINES = ['Crew', 'Scoop', 'V-Neck', 'High', 'Collar', 'Lapel', 'Hood', 'Square', 'Off-Shoulder', 'Strap', 'Other']
HEADS = {
    'type': TYPES, 'pattern': PATTERNS, 'closure': CLOSURES, 'sleeve': SLEEVES, 'colour': COLOURS, 'presence': PRESENCE,
    'shown': SHOWN, 'fabric': FABRICS, 'fit': FITS, 'neckline': NECKLINES}
# Additional heads that help the body to learn. They are not exported.
AUXILIARY = {
    'source_label': [
        'T-Shirt', 'Longsleeve', 'Pants', 'Shoes', 'Shirt', 'Dress', 'Shorts', 'Outwear', 'Hat', 'Skirt', 'Undershirt',
        'Polo', 'Blazer', 'Hoodie', 'Body', 'Top', 'Blouse'],
    'kids': ['0', '1']}
ALL_HEADS = HEADS | AUXILIARY

FAMILIES = {
    'Tops of jersey': ['T-Shirt', 'Long-Sleeve T-Shirt', 'Tank Top', 'Polo Shirt', 'Bodysuit'],
    'Shirts and blouses': ['Shirt', 'Blouse'],
    'Knitwear and sweats': ['Jumper', 'Cardigan', 'Sweatshirt', 'Hoodie'],
    'Outerwear': ['Jacket', 'Coat', 'Blazer', 'Waistcoat'],
    'Dress': ['Dress'],
    'Jumpsuit': ['Jumpsuit'],
    'Trousers': ['Trousers', 'Jeans', 'Joggers', 'Leggings'],
    'Shorts': ['Shorts'],
    'Skirt': ['Skirt'],
    'Hat': ['Hat'],
    'Bag': ['Bag'],
    'Belt': ['Belt'],
    'Scarf': ['Scarf'],
    'Set': ['Set'],
    'Footwear': ['Shoes', 'Trainers', 'Boots', 'Sandals', 'Heels', 'Slippers']}
FAMILY_OF = {name: family for family, names in FAMILIES.items() for name in names}

# Fits that each family can have. Other families have no fit.
TOP_FITS = ['Slim', 'Regular', 'Relaxed', 'Oversized']
FITS_OF_FAMILY = {
    'Tops of jersey': TOP_FITS, 'Shirts and blouses': TOP_FITS, 'Knitwear and sweats': TOP_FITS, 'Outerwear': TOP_FITS,
    'Trousers': ['Skinny', 'Slim', 'Straight', 'Tapered', 'Wide Leg', 'Flared'], 'Shorts': TOP_FITS[:3],
    'Skirt': ['Pencil', 'Straight', 'A-Line', 'Full'], 'Dress': ['Bodycon', 'Shift', 'A-Line', 'Fit & Flare']}


def class_index(row, head):
    """Returns the label's index in its head, or -1 if it is missing, invisible or not a class."""
    if head == 'presence':
        return PRESENCE.index('None' if row['type'] in NO_GARMENT else 'Several' if row['type'] == 'Several' else 'One')
    classes = ALL_HEADS[head]
    return classes.index(row[head]) if row.get(head) in classes else -1
