"""placeholder"""
def prove() -> bool:
    return True
