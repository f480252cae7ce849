def tokenize(text, *args, **options):
    return iter(text.split())
